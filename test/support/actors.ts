import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import type { TokenPair } from '../../src/auth/domain/token-pair';
import { KnownDevices } from '../../src/auth/services/known-devices';
import { SessionIssuer } from '../../src/auth/services/session-issuer';
import type { Permission } from '../../src/platform/permissions';
import { CreateTenant } from '../../src/tenants/commands/create-tenant';
import { User } from '../../src/users/domain/user';
import type { Plan } from '../../src/billing/entitlements/domain/plan';
import { newId } from '../../src/platform/ids';
import { Database } from '../../src/platform/database/database';
import type { TestApp } from './app';

export const PASSWORD = 'correct horse battery';
/** A password hash with the cost of the service, computed once because it takes a while. */
const passwordHash = hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A signed-in user. */
export interface SignedInUser extends Pair {
  readonly user: User;
  /** The Authorization header of the user. */
  readonly bearer: { readonly Authorization: string };
}

/** Anyone who can send authorized requests. */
export type Bearer = Pick<SignedInUser, 'bearer'>;

/** A signed-in user with an active tenant. */
export interface Member extends SignedInUser {
  readonly tenantId: string;
}

type Wanted = Partial<
  Pick<User, 'email' | 'name' | 'isEmailVerified' | 'emailVerifiedAt' | 'disabledAt' | 'passwordHash' | 'isAdmin'>
>;

/** Creates users. Properties that a test does not name get defaults. */
export class Actors {
  constructor(private readonly t: TestApp) {}

  /** An account with the password PASSWORD, verified by default. */
  async user(wanted: Wanted = {}): Promise<User> {
    const email = wanted.email ?? `u${randomBytes(5).toString('hex')}@example.com`;
    const user = User.register(email, wanted.name ?? 'Ada', await passwordHash, this.t.clock.now());
    if (wanted.isEmailVerified !== false) user.verifyEmail(user.createdAt);
    Object.assign(user, wanted);
    await this.t.nest.get(Database).manager.insert(User, user);
    return user;
  }

  /** A user with an account who has signed in. */
  async signedInUser(wanted?: Wanted): Promise<SignedInUser> {
    const user = await this.user(wanted);
    return { user, ...(await this.open(user)) };
  }

  /** A user with global admin access. */
  admin(wanted?: Wanted): Promise<SignedInUser> {
    return this.signedInUser({ isAdmin: true, ...wanted });
  }

  /** The user confirms the identity with the password, for what needs a fresh proof. */
  async stepUp({ bearer }: Bearer): Promise<void> {
    await this.t.api.post('/auth/step-up').set(bearer).send({ password: PASSWORD }).expect(200);
  }

  /** An admin who impersonates a user. */
  async impersonating<P extends SignedInUser>(admin: SignedInUser, actor: P): Promise<P> {
    const { body } = await this.t.api
      .post(`/admin/users/${actor.user.id}/impersonate`)
      .set(admin.bearer)
      .send({})
      .expect(200);
    const { accessToken } = (body as { data: { accessToken: string } }).data;
    return { ...actor, accessToken, refreshToken: '', bearer: bearer(accessToken) };
  }

  /** The Owner of a new tenant, on the Free plan by default. */
  async owner({
    tenantName = 'Acme',
    plan,
    ...wanted
  }: Wanted & { tenantName?: string; plan?: Plan } = {}): Promise<Member> {
    const user = await this.user(wanted);
    const created = await this.t.nest
      .get(CommandBus)
      .execute(new CreateTenant({ userId: user.id, impersonatorId: null }, tenantName));
    if (!created.ok) throw new Error(created.failure.code);
    if (plan) await this.subscribe(created.value.id, plan);
    return { user, tenantId: created.value.id, ...(await this.open(user)) };
  }

  /** Sets the plan of a new tenant, like an operator. */
  private async subscribe(tenantId: string, plan: Plan): Promise<void> {
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, $2, 'Active', now())`;
    await this.t.database.query(sql, [tenantId, plan]);
  }

  /**
   * A member of the tenant of `owner`, with a role of this name or with exactly these permissions.
   */
  async member(owner: Member, as: string | Permission[] = 'Member', wanted?: Wanted): Promise<Member> {
    const { tenantId } = owner;
    const user = await this.user(wanted);
    const roleId = typeof as === 'string' ? await this.roleId(owner, as) : await this.role(owner, as);
    await this.t.database.query(
      `INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
         VALUES ($1, $2, $3, $4, false, $5)`,
      [tenantId, user.id, newId(), roleId, this.t.clock.now()],
    );
    return { user, tenantId, ...(await this.open(user)) };
  }

  /** Gives a member another role, in the database only. */
  async assign({ tenantId, user }: Member, roleId: string): Promise<void> {
    await this.t.database.query('UPDATE memberships SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2', [
      tenantId,
      user.id,
      roleId,
    ]);
  }

  /** The id of a role in the owner's tenant. */
  async roleId({ tenantId }: Member, name: string): Promise<string> {
    const [{ id }] = await this.t.database.query<{ id: string }>(
      'SELECT id FROM roles WHERE tenant_id = $1 AND name = $2',
      [tenantId, name],
    );
    return id;
  }

  /** Creates a custom role in the owner's tenant. @returns its id */
  async role(
    owner: Member,
    permissions: Permission[],
    name = `Role ${randomBytes(4).toString('hex')}`,
  ): Promise<string> {
    const { body } = await this.t.api
      .post('/tenants/current/roles')
      .set(owner.bearer)
      .send({ name, permissions })
      .expect(200);
    return (body as { data: { id: string } }).data.id;
  }

  /** The user with new tokens, after a refresh. */
  async refreshed<P extends SignedInUser>(actor: P): Promise<P> {
    const { body } = await this.t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(200);
    const pair = (body as { data: Pair }).data;
    return { ...actor, ...pair, bearer: bearer(pair.accessToken) };
  }

  /**
   * The cookie of a browser in which the account has signed in before, so that a sign-in sends no
   * mail about a new device.
   */
  async knownDevice(email: string): Promise<string> {
    const { id } = await this.t.nest.get(Database).manager.findOneByOrFail(User, { email });
    let cookie = '';
    const response = {
      req: { headers: {} },
      cookie: (name: string, value: string) => {
        cookie = `${name}=${value}`;
      },
    };
    this.t.nest.get(KnownDevices, { strict: false }).remember(response as unknown as Response, id);
    return cookie;
  }

  /** Opens a session like a sign-in with the password, without the time to verify it. */
  private async open(user: User): Promise<Pair & Pick<SignedInUser, 'bearer'>> {
    const opened = await this.t.nest.get(SessionIssuer).open(user, { method: 'password' });
    if (!opened.ok) throw new Error(opened.failure.code);
    const pair = opened.value as TokenPair;
    return { ...pair, bearer: bearer(pair.accessToken) };
  }

  /** Signs an account in again on a known device. */
  async signIn(email: string): Promise<Pair & Pick<SignedInUser, 'bearer'>> {
    const { body } = await this.t.api
      .post('/auth/login')
      .set('Cookie', await this.knownDevice(email))
      .send({ email, password: PASSWORD })
      .expect(200);
    const pair = (body as { data: Pair }).data;
    return { ...pair, bearer: bearer(pair.accessToken) };
  }
}

export const bearer = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` });

/** The claims of an access token, without verification. */
export function claimsOf(accessToken: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString()) as Record<string, unknown>;
}
