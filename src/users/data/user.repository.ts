import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Provider } from '../domain/linked-provider';
import { User } from '../domain/user';
import { UserFailures } from '../users.failures';

const COLUMNS = `u.id, u.email, u.name, u.password_hash AS "passwordHash", u.password_set_at AS "passwordSetAt",
         u.is_email_verified AS "isEmailVerified", u.email_verified_at AS "emailVerifiedAt",
         u.picture_url AS "pictureUrl",
         u.disabled_at AS "disabledAt", u.is_admin AS "isAdmin", u.created_at AS "createdAt"`;

const USER_BY_EMAIL = `
  SELECT ${COLUMNS}
    FROM users u WHERE u.email = $1`;

/** For an unverified account, with the password hashes of all its registrations. */
const USER_FOR_PASSWORD = `
  SELECT ${COLUMNS},
         CASE WHEN u.is_email_verified THEN '{}' ELSE ARRAY(SELECT r.password_hash FROM registrations r
           WHERE r.user_id = u.id) END AS "registeredHashes"
    FROM users u WHERE u.email = $1`;

/**
 * By the provider's id first, then by the address. The link is locked as well: if it is deleted
 * while this statement waits for the account, no row is found, and the caller's second attempt sees
 * the result. A subselect alone would not be evaluated again.
 */
const USER_BY_PROVIDER = `
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

/** Account and link in one statement. */
const ADD_LINKED = `
  WITH added AS (
    INSERT INTO users (id, email, name, password_hash, is_email_verified, picture_url, disabled_at, is_admin,
      created_at, email_verified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12) RETURNING id
  )
  INSERT INTO linked_providers (provider, provider_user_id, user_id, linked_at) SELECT $10, $11, id, $9 FROM added`;

/** The identity of a user at a provider. */
export interface ProviderIdentity {
  readonly provider: Provider;
  /** The provider's id of the user. */
  readonly providerUserId: string;
}

/** The account that matches an identity. */
export interface ProviderMatch {
  readonly user: User;
  /** Whether an identity at this provider is linked, this one or another one. */
  readonly hasProvider: boolean;
}

/** Accounts. */
@Injectable()
export class UserRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Adds an account. EMAIL_TAKEN, decided by the unique index because of concurrent registrations.
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

  /** Plain SQL, because the query builder would add half a millisecond to every sign-in. */
  async findByEmail(email: string): Promise<User | null> {
    const [row] = await this.unitOfWork.query(USER_BY_EMAIL, [email]);
    return row ? Object.assign(new User(), row) : null;
  }

  /** The account with this address; if it is unverified, with the hashes of all registrations. */
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
   * The account that is linked to this identity, or else the one with this address; locked until
   * the transaction ends.
   * @param email the verified address at the provider; null if there is none
   */
  async lockByProvider(
    { provider, providerUserId }: ProviderIdentity,
    email: string | null,
  ): Promise<ProviderMatch | null> {
    const [row] = await this.unitOfWork.query<User & { hasProvider: boolean }>(USER_BY_PROVIDER, [
      provider,
      providerUserId,
      email,
    ]);
    if (!row) return null;
    const { hasProvider, ...columns } = row;
    return { user: Object.assign(new User(), columns), hasProvider };
  }

  /**
   * Links an account, which this transaction has locked, to an identity, unless an identity at this
   * provider is linked already.
   * @param pictureUrl stored in the account if it has no picture
   * @returns whether the link was created
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
   * Adds an account with a link. EMAIL_TAKEN if the address or the identity was taken in the
   * meantime.
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

  /** The account, locked until the transaction ends. */
  lock(id: string): Promise<User | null> {
    return this.unitOfWork.manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores the mutable fields of an account that this transaction has locked. */
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
   * Replaces a hash by another one of the same password.
   * @returns false if the stored hash is no longer `old`
   */
  async replaceHash(id: string, old: string, passwordHash: string): Promise<boolean> {
    const { affected } = await this.unitOfWork.manager.update(User, { id, passwordHash: old }, { passwordHash });
    return affected === 1;
  }
}
