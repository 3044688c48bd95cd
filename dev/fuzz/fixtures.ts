import { randomBytes } from 'node:crypto';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { EmailChange } from '../../src/accounts/email-change/domain/email-change';
import { EmailChangeRequest } from '../../src/accounts/email-change/domain/email-change-request';
import { SignInByMagicLink } from '../../src/auth/commands/sign-in-by-magic-link';
import { VerifyEmail } from '../../src/auth/commands/verify-email';
import { OneTimeTokenRepository } from '../../src/auth/data/one-time-token.repository';
import type { Purpose } from '../../src/auth/domain/one-time-token';
import { EmailCode, newEmailCode } from '../../src/auth/domain/email-code';
import { SignInPolicy } from '../../src/auth/domain/sign-in-policy';
import { refreshTokenRef } from '../../src/auth/domain/refresh-token-text';
import { TokenPair } from '../../src/auth/domain/token-pair';
import { EmailCodes } from '../../src/auth/services/email-codes';
import { StartCheckout } from '../../src/billing/checkout/commands/start-checkout';
import { SyncOwnSubscription } from '../../src/billing/sync/commands/sync-own-subscription';
import { CreateAuditStream } from '../../src/audit-streams/commands/create-audit-stream';
import { AuditStream } from '../../src/audit-streams/domain/audit-stream';
import { ReceiveWebhookEvent } from '../../src/billing/webhooks/commands/receive-webhook-event';
import { eventOf } from '../../src/billing/stripe/stripe-event';
import { Passkey, textOf } from '../../src/factors/domain/passkey';
import { FactorReset } from '../../src/factors/domain/factor-reset';
import type { TenantActor } from '../../src/http/access/actor';
import { ApiKey, type KeyOwner } from '../../src/keys/domain/api-key';
import { newKeyToken } from '../../src/keys/domain/key-token';
import { NotificationRepository } from '../../src/notifications/data/notification.repository';
import { OrphanedResource } from '../../src/orphans/domain/orphaned-resource';
import { Clock } from '../../src/platform/clock';
import { newId } from '../../src/platform/ids';
import { ok, type Result } from '../../src/platform/result';
import { digestOf, newSecretToken } from '../../src/platform/secret-token';
import { EVERY_TENANT, type Scope } from '../../src/platform/database/tenant-scope';
import { UnitOfWork } from '../../src/platform/database/unit-of-work';
import { InvitationRepository } from '../../src/tenants/data/invitation.repository';
import { Invitation } from '../../src/tenants/domain/invitation';
import { InvitationTokens } from '../../src/tenants/services/invitation-tokens';
import { LinkedProvider } from '../../src/users/domain/linked-provider';
import { PasswordHasher } from '../../src/users/domain/password-hasher';
import { Registration } from '../../src/users/domain/registration';
import { User } from '../../src/users/domain/user';
import { UserPicture } from '../../src/users/domain/user-picture';
import { CreateWebhookEndpoint } from '../../src/webhooks/commands/create-webhook-endpoint';
import { SendTestEvent } from '../../src/webhooks/commands/send-test-event';
import { WebhookEndpoint } from '../../src/webhooks/domain/webhook-endpoint';
import type { CustomerActions } from '../stripe/customer-actions';
import { valueOf } from '../tenant-fixtures';
import { FactorFixtures } from './factor-fixtures';

export const PASSWORD = 'a long enough phrase';

/** A session with its first tokens. */
export interface FixtureSession {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The tenant, role and inviter of an invitation. */
export interface InvitationPlace {
  readonly tenantId: string;
  readonly roleId: string;
  readonly invitedBy: string;
}

const ADD_JOB = `
  SELECT (graphile_worker.add_job('send-link-mail', payload => $1::json,
    run_at => now() + interval '1 hour')).id::text`;
const SAMPLE_JOB = { command: { email: 'nobody@example.com', purpose: 'magic-link' }, requestId: 'fuzz' };

/**
 * Creates single rows in the database of the service, by an application that serves no requests.
 */
export class Fixtures {
  readonly factors: FactorFixtures;
  private hash?: Promise<string>;

  /** @param customers pay at the stand-in for Stripe */
  constructor(
    private readonly app: INestApplicationContext,
    private readonly customers: Pick<CustomerActions, 'pay'>,
  ) {
    this.factors = new FactorFixtures(this, app);
  }

  /** An unverified account. Its first session verifies it. */
  async user(name: string, changes: Partial<User> = {}): Promise<User> {
    this.hash ??= this.get(PasswordHasher).hash(PASSWORD).then(valueOf);
    const user = User.register(`${name}-${newId()}@example.com`, 'Fuzz', await this.hash, this.now());
    await this.manager.insert(User, Object.assign(user, changes));
    return user;
  }

  async verifiedUser(): Promise<User> {
    return this.user('verified', { isEmailVerified: true, emailVerifiedAt: this.now() });
  }

  /** A verified account that never had a password. */
  async recognizedUser(): Promise<User> {
    return this.user('recognized', {
      isEmailVerified: true,
      emailVerifiedAt: this.now(),
      passwordHash: null,
      passwordSetAt: null,
    });
  }

  /** The one-time token of a mailed link. */
  async link(userId: string, purpose: Purpose, registrationId?: string): Promise<string> {
    return this.get(OneTimeTokenRepository).issue(userId, purpose, { registrationId });
  }

  /** The one-time token of an unverified registration. */
  async registrationLink(purpose: Purpose): Promise<string> {
    const user = await this.user('registered');
    const registration = Registration.of(user, user.passwordHash!, { device: 'a browser', cause: 'fuzz' }, this.now());
    await this.manager.insert(Registration, registration);
    return this.link(user.id, purpose, registration.id);
  }

  async session(user: User): Promise<FixtureSession> {
    const begin = user.isEmailVerified
      ? new SignInByMagicLink(await this.link(user.id, 'magic-link'), undefined)
      : new VerifyEmail(await this.link(user.id, 'verification'));
    const signedIn = await this.execute(begin);
    if (!(signedIn instanceof TokenPair)) throw new Error('This account has a second factor.');
    const { accessToken, refreshToken } = signedIn;
    user.isEmailVerified = true;
    const sql = 'SELECT id FROM sessions WHERE current_token_id = $1 AND user_id = $2';
    const [{ id }] = await this.get(UnitOfWork).query<{ id: string }>(sql, [
      refreshTokenRef(refreshToken)!.id,
      user.id,
    ]);
    return { id, accessToken, refreshToken };
  }

  async linkProvider(userId: string): Promise<void> {
    const link = { provider: 'google' as const, providerUserId: newId(), userId, linkedAt: this.now() };
    await this.manager.createQueryBuilder().insert().into(LinkedProvider).values(link).orIgnore().execute();
  }

  /** Adds a passkey. @returns its id */
  async passkey(userId: string): Promise<string> {
    const credential = { id: randomBytes(16), publicKey: randomBytes(77), aaguid: null, isBackedUp: false };
    const passkey = Passkey.add(userId, 'Fuzz', { ...credential, counter: 0, transports: [] }, this.now());
    await this.manager.insert(Passkey, passkey);
    return textOf(passkey.id);
  }

  /** Gives a new account a picture. @returns its key */
  async picture(): Promise<string> {
    const picture = UserPicture.of((await this.verifiedUser()).id, Buffer.from('not read'));
    await this.manager.insert(UserPicture, picture);
    return picture.key;
  }

  /** A verified account with a second factor, which nobody knows. */
  async enrolledUser(): Promise<User> {
    return this.user('enrolled', { isEmailVerified: true, emailVerifiedAt: this.now(), hasSecondFactor: true });
  }

  /** An open request of another operator to reset the second factor of a user. @returns its id */
  async factorReset(userId: string): Promise<string> {
    const reset = valueOf(FactorReset.request(userId, 'fuzz', newId(), this.now()));
    await this.manager.createQueryBuilder().insert().into(FactorReset).values(reset).orIgnore().execute();
    return reset.id;
  }

  /** Requests the change of an address. @returns the code that confirms it */
  async emailChangeCode(userId: string): Promise<string> {
    const email = `changed-${newId()}@example.com`;
    await this.manager.insert(EmailChangeRequest, EmailChangeRequest.start(userId, email, this.now()));
    const code = newEmailCode();
    const codeHash = this.get(EmailCodes).hashOf(userId, 'email-change', code, email);
    await this.manager.insert(EmailCode, EmailCode.issue(userId, 'email-change', codeHash, this.now()));
    return code;
  }

  /** Changes the address of a new account. @returns the token that undoes it */
  async undoToken(): Promise<string> {
    const user = await this.verifiedUser();
    const token = newSecretToken();
    const before = Object.assign(new User(), { ...user, email: `before-${user.email}` });
    const change = { ...EmailChange.record(before, [], this.now()), undoTokenHash: digestOf(token) };
    await this.manager.insert(EmailChange, change);
    return token;
  }

  /** Gives a tenant a sign-in policy that its sessions meet. */
  async signInPolicy(tenantId: string): Promise<void> {
    const rules = { secondFactorFrom: null, maxSessionHours: 24, allowedMethods: null, maxTokenDays: null };
    const policy = SignInPolicy.of(tenantId, rules, null, this.now());
    await this.within({ tenantId }, () =>
      this.manager.createQueryBuilder().insert().into(SignInPolicy).values(policy).orIgnore().execute(),
    );
  }

  /** Creates a key of a service account, or a personal token. @returns its id */
  async apiKey(tenantId: string, of: { serviceAccountId: string } | { userId: string }): Promise<string> {
    const owner: KeyOwner = 'userId' in of ? { ...of, methods: ['password'], secondFactorAt: null } : of;
    const terms = { name: 'Fuzz', permissions: [], allowedNetworks: [], perMinute: null, expiresAt: null };
    const key = ApiKey.issue(tenantId, owner, terms, newKeyToken('tn', 'service'), null, this.now());
    await this.within({ tenantId }, () => this.manager.insert(ApiKey, key));
    return key.id;
  }

  /** Creates a notification. @returns its id */
  async notification(tenantId: string, userId: string): Promise<string> {
    const data = { userId: newId(), name: 'Fuzz', email: 'fuzz@example.com', role: 'Member' };
    return this.within({ tenantId, userId }, async () => {
      await this.get(NotificationRepository).add([{ tenantId, userId, kind: 'MemberJoined', data }]);
      return this.idOf('SELECT id FROM notifications WHERE user_id = $1 ORDER BY position DESC LIMIT 1', userId);
    });
  }

  /** Creates a pending invitation whose mail was sent. */
  async invitation(
    place: InvitationPlace,
    email = `guest-${newId()}@example.com`,
  ): Promise<{ id: string; token: string }> {
    const { tenantId } = place;
    const invitations = this.get(InvitationRepository);
    return this.within({ tenantId }, async () => {
      const role = { tenantId, id: place.roleId };
      await invitations.add(Invitation.create(email, role, place.invitedBy, this.now()));
      const id = await this.idOf('SELECT id FROM invitations WHERE email = $1', email);
      const token = this.get(InvitationTokens).of(id);
      await invitations.storeToken(tenantId, id, token);
      return { id, token };
    });
  }

  /** Lets a tenant start the trial of a subscription, unless it has one. */
  async subscription(owner: TenantActor): Promise<void> {
    const order = new StartCheckout(owner, { plan: 'Pro', interval: 'month' });
    const started = await this.get(CommandBus).execute(order);
    if (!started.ok) return;
    await this.customers.pay(started.value.checkoutUrl);
    await this.execute(new SyncOwnSubscription(owner));
  }

  /** Creates a waiting job. @returns its id */
  job(): Promise<string> {
    return this.idOf(ADD_JOB, JSON.stringify(SAMPLE_JOB));
  }

  /** Receives a Stripe event. @returns its id */
  async webhookEvent(): Promise<string> {
    const payload = this.event();
    const event = eventOf(JSON.parse(payload))!;
    await this.execute(new ReceiveWebhookEvent(event, payload));
    return this.within(EVERY_TENANT, () =>
      this.idOf('SELECT id FROM webhook_events WHERE event_id = $1', event.eventId),
    );
  }

  /** A webhook endpoint at a host that does not exist, with a delivery. @returns their ids */
  async webhook(actor: TenantActor): Promise<{ readonly webhooks: string; readonly deliveries: string }> {
    const details = { url: 'https://receiver.example/', description: 'Fuzz', types: ['tenant.renamed'] };
    const { id } = await this.execute(new CreateWebhookEndpoint(actor, details));
    await this.within(EVERY_TENANT, () => this.manager.update(WebhookEndpoint, { id }, { verifiedAt: this.now() }));
    await this.execute(new SendTestEvent(actor, id));
    const deliveries = await this.within(EVERY_TENANT, () =>
      this.idOf('SELECT id FROM webhook_deliveries WHERE endpoint_id = $1', id),
    );
    return { webhooks: id, deliveries };
  }

  /** A service account with a key whose maker has left the tenant. @returns the id of the orphan */
  async orphan(tenantId: string, serviceAccountId: string): Promise<string> {
    await this.apiKey(tenantId, { serviceAccountId });
    const of = { kind: 'service-account', resourceId: serviceAccountId, leftBy: null } as const;
    const orphan = { tenantId, id: newId(), ...of, leftAt: this.now(), remindedAt: null };
    await this.within({ tenantId }, () => this.manager.insert(OrphanedResource, orphan));
    return orphan.id;
  }

  /**
   * An audit stream to a host that does not exist, as if it had answered: else it gets one request
   * a minute.
   * @returns its id
   */
  async auditStream(actor: TenantActor): Promise<string> {
    const details = { url: 'https://receiver.example/', description: 'Fuzz', authorization: null };
    const { id } = await this.execute(new CreateAuditStream(actor, details));
    await this.within(EVERY_TENANT, () => this.manager.update(AuditStream, { id }, { lastSuccessAt: this.now() }));
    return id;
  }

  /** The payload of a new Stripe event that changes nothing. */
  event(): string {
    return JSON.stringify({
      id: `evt_${newId()}`,
      type: 'invoice.created',
      created: Math.floor(this.now().getTime() / 1000),
      data: { object: {} },
    });
  }

  async execute<T>(command: Command<Result<T, string>>): Promise<T> {
    return valueOf(await this.app.get(CommandBus).execute(command));
  }

  private async within<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const unitOfWork = this.get(UnitOfWork);
    const done = async () => ok(await work());
    return valueOf(await (scope === EVERY_TENANT ? unitOfWork.acrossTenants(done) : unitOfWork.inTenant(scope, done)));
  }

  private async idOf(sql: string, parameter: string): Promise<string> {
    const [{ id }] = await this.get(UnitOfWork).query<{ id: string }>(sql, [parameter]);
    return id;
  }

  private get manager() {
    return this.get(UnitOfWork).manager;
  }

  private now(): Date {
    return this.get(Clock).now();
  }

  private get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }
}
