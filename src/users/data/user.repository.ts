import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Provider } from '../domain/linked-provider';
import { User } from '../domain/user';
import { UserFailures } from '../users.failures';

const COLUMNS = `u.id, u.email, u.name, u.password_hash AS "passwordHash", u.password_set_at AS "passwordSetAt",
         u.is_email_verified AS "isEmailVerified", u.email_verified_at AS "emailVerifiedAt",
         u.picture_url AS "pictureUrl", u.disabled_at AS "disabledAt", u.is_admin AS "isAdmin", u.created_at AS "createdAt"`;

const USER_BY_EMAIL = `
  SELECT ${COLUMNS}
    FROM users u WHERE u.email = $1`;

/** An unverified account is also known by the passwords of its other registrations. */
const USER_FOR_PASSWORD = `
  SELECT ${COLUMNS},
         CASE WHEN u.is_email_verified THEN '{}' ELSE ARRAY(SELECT r.password_hash FROM registrations r
           WHERE r.user_id = u.id) END AS "registeredHashes"
    FROM users u WHERE u.email = $1`;

/**
 * By the provider's own id first, then by the address. The link is locked after the account: when
 * it went while this waited for the account, nobody is found, and a second look sees what is left.
 * A subselect alone would not be run again.
 */
const USER_OF_PROVIDER = `
  WITH linked AS (
    SELECT ${COLUMNS}, true AS "hasProvider"
      FROM users u JOIN linked_providers p ON p.user_id = u.id
     WHERE p.provider = $1 AND p.provider_user_id = $2
       FOR UPDATE OF u, p
  ), addressed AS (
    SELECT ${COLUMNS}, EXISTS (SELECT FROM linked_providers p WHERE p.user_id = u.id
      AND p.provider = $1) AS "hasProvider"
      FROM users u
     WHERE u.email = $3 AND NOT EXISTS (SELECT FROM linked_providers WHERE provider = $1 AND provider_user_id = $2)
       FOR UPDATE
  )
  TABLE linked UNION ALL TABLE addressed`;

const LINK = `
  WITH linked AS (
    INSERT INTO linked_providers (provider, provider_user_id, user_id, linked_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING RETURNING user_id
  ), pictured AS (
    UPDATE users SET picture_url = $5 FROM linked WHERE id = linked.user_id AND picture_url IS NULL
  )
  SELECT user_id FROM linked`;

/** Account and link in one message. */
const ADD_LINKED = `
  WITH added AS (
    INSERT INTO users (id, email, name, password_hash, is_email_verified, picture_url, disabled_at, is_admin,
      created_at, email_verified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12) RETURNING id
  )
  INSERT INTO linked_providers (provider, provider_user_id, user_id, linked_at) SELECT $10, $11, id, $9 FROM added`;

/** Who somebody is at an identity provider. */
export interface ProviderIdentity {
  readonly provider: Provider;
  /** The provider's own id of them. */
  readonly providerUserId: string;
}

/** The account that a provider's word leads to. */
export interface RecognisedUser {
  readonly user: User;
  /** Whether an account at this provider is linked with it: this one, or another. */
  readonly hasProvider: boolean;
}

/** The accounts, in PostgreSQL. */
@Injectable()
export class UserRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Lets the unique index decide: asking first would lose against a second registration at the same
   * moment.
   */
  async add(user: User): Promise<Result> {
    try {
      await this.unitOfWork.manager.insert(User, user);
      return ok();
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_key')) return err(UserFailures.emailTaken);
      throw error;
    }
  }

  /** Read without TypeORM's query builder, which would cost every login half a millisecond. */
  async findByEmail(email: string): Promise<User | null> {
    const [row] = await this.unitOfWork.query(USER_BY_EMAIL, [email]);
    return row ? Object.assign(new User(), row) : null;
  }

  /**
   * The same with the hashes of all registrations, where the address is not verified; one message.
   */
  async findForPassword(email: string): Promise<{ user: User; registeredHashes: string[] } | null> {
    const [row] = await this.unitOfWork.query<User & { registeredHashes: string[] }>(USER_FOR_PASSWORD, [email]);
    if (!row) return null;
    const { registeredHashes, ...columns } = row;
    return { user: Object.assign(new User(), columns), registeredHashes };
  }

  /** The account with this address, locked until the transaction ends. */
  lockByEmail(email: string): Promise<User | null> {
    return this.unitOfWork.manager.findOne(User, { where: { email }, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * The account that is linked with this identity, else the one with this address; locked until the
   * transaction ends.
   * @param email only where the provider says that it is verified
   */
  async lockByProvider(
    { provider, providerUserId }: ProviderIdentity,
    email: string | null,
  ): Promise<RecognisedUser | null> {
    const [row] = await this.unitOfWork.query<User & { hasProvider: boolean }>(USER_OF_PROVIDER, [
      provider,
      providerUserId,
      email,
    ]);
    if (!row) return null;
    const { hasProvider, ...columns } = row;
    return { user: Object.assign(new User(), columns), hasProvider };
  }

  /**
   * Links an account, locked by this transaction, with an identity; not when one of this provider
   * is linked with it already.
   * @param pictureUrl becomes the account's where it has none
   * @returns whether it is linked now, and was not before
   */
  async link(
    userId: string,
    { provider, providerUserId }: ProviderIdentity,
    pictureUrl: string | null,
    now: Date,
  ): Promise<boolean> {
    return (await this.unitOfWork.query(LINK, [provider, providerUserId, userId, now, pictureUrl])).length === 1;
  }

  /**
   * Adds an account that is linked from the start. EMAIL_TAKEN when somebody else came first, with
   * the address or with the identity.
   */
  async addLinked(user: User, { provider, providerUserId }: ProviderIdentity): Promise<Result> {
    const {
      id,
      email,
      name,
      passwordHash,
      isEmailVerified,
      pictureUrl,
      disabledAt,
      isAdmin,
      createdAt,
      emailVerifiedAt,
    } = user;
    const account = [id, email, name, passwordHash, isEmailVerified, pictureUrl, disabledAt, isAdmin, createdAt];
    try {
      await this.unitOfWork.query(ADD_LINKED, [...account, provider, providerUserId, emailVerifiedAt]);
      return ok();
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'linked_providers_pkey'))
        return err(UserFailures.emailTaken);
      throw error;
    }
  }

  findById(id: string): Promise<User | null> {
    return this.unitOfWork.manager.findOneBy(User, { id });
  }

  /** The account, locked until the transaction ends: two changes to it follow one another. */
  lock(id: string): Promise<User | null> {
    return this.unitOfWork.manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores what can change of an account that this transaction has locked. */
  async save({
    id,
    name,
    passwordHash,
    passwordSetAt,
    isEmailVerified,
    emailVerifiedAt,
    pictureUrl,
    disabledAt,
  }: User): Promise<void> {
    const changed = { name, passwordHash, passwordSetAt, isEmailVerified, emailVerifiedAt, pictureUrl, disabledAt };
    await this.unitOfWork.manager.update(User, { id }, changed);
  }

  /**
   * Replaces a hash by one of the same password.
   * @returns false when the stored one is no longer `old`
   */
  async replaceHash(id: string, old: string, passwordHash: string): Promise<boolean> {
    const { affected } = await this.unitOfWork.manager.update(User, { id, passwordHash: old }, { passwordHash });
    return affected === 1;
  }
}
