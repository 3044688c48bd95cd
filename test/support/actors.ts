import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { User } from '../../src/users/domain/user';
import { Database } from '../../src/platform/database';
import type { TestApp } from './app';

export const PASSWORD = 'correct horse battery';
/** As strong as the service makes them; made once, because it takes a while. */
const passwordHash = hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A person who is signed in. */
export interface Person extends Pair {
  readonly user: User;
  /** The header that a signed-in request carries. */
  readonly bearer: { readonly Authorization: string };
}

/** Makes people; what a test does not name is filled in. */
export class Actors {
  constructor(private readonly t: TestApp) {}

  /** An account, verified unless told otherwise, with the password PASSWORD. */
  async user(wanted: Partial<Pick<User, 'email' | 'name' | 'isEmailVerified' | 'disabledAt' | 'passwordHash'>> = {}): Promise<User> {
    const email = wanted.email ?? `u${randomBytes(5).toString('hex')}@example.com`;
    const user = User.register(email, wanted.name ?? 'Ada', await passwordHash, this.t.clock.now());
    Object.assign(user, { isEmailVerified: true, ...wanted });
    await this.t.nest.get(Database).manager.insert(User, user);
    return user;
  }

  /** Somebody with an account who has signed in. */
  async person(wanted?: Parameters<Actors['user']>[0]): Promise<Person> {
    const user = await this.user(wanted);
    return { user, ...(await this.signIn(user.email)) };
  }

  /** One more session of an account. */
  async signIn(email: string): Promise<Pair & Pick<Person, 'bearer'>> {
    const { body } = await this.t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    const pair = (body as { data: Pair }).data;
    return { ...pair, bearer: bearer(pair.accessToken) };
  }
}

export const bearer = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` });

/** The claims of an access token, unchecked. */
export function claimsOf(accessToken: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString()) as Record<string, unknown>;
}
