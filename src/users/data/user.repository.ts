import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, type Repository } from 'typeorm';
import { unlessViolated } from '../../platform/database/constraint-violations';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { insertOf } from '../../platform/database/insert-statement';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Result } from '../../platform/result';
import { LinkedProvider, type ProviderIdentity } from '../domain/linked-provider';
import { Registration } from '../domain/registration';
import { User } from '../domain/user';
import { UserFailures } from '../users.failures';

const COLUMNS = columnsOf(User, 'u');

const REGISTERED_HASHES = `
  CASE WHEN u.isEmailVerified THEN '{}'
       ELSE ARRAY(SELECT r.password_hash FROM registrations r WHERE r.user_id = u.id) END`;

/** For an unverified account, with the password hashes of all its registrations. */
const USER_FOR_PASSWORD = (rows: Repository<User>) =>
  rows.createQueryBuilder('u').select(COLUMNS).addSelect(REGISTERED_HASHES, 'registeredHashes').where('u.email = $1');

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

const ACCOUNT = insertOf(User);
const LINK = insertOf(LinkedProvider, { first: ACCOUNT.next });

/** Account and link in one statement. */
const ADD_LINKED = `
  WITH added AS (INSERT INTO ${ACCOUNT.into} VALUES (${ACCOUNT.values}))
  INSERT INTO ${LINK.into} VALUES (${LINK.values})`;

/** The account that matches an identity. */
export interface ProviderMatch {
  readonly user: User;
  /** Whether an identity at this provider is linked, this one or another one. */
  readonly hasProvider: boolean;
}

/** Accounts. */
@Injectable()
export class UserRepository extends EntityRepository<User> {
  constructor(unitOfWork: UnitOfWork) {
    super(User, unitOfWork);
  }

  /**
   * Adds an account. EMAIL_TAKEN, decided by the unique index because of concurrent registrations.
   */
  add(user: User): Promise<Result<void, 'EMAIL_TAKEN'>> {
    return unlessViolated({ users_email_key: UserFailures.emailTaken }, () => this.insert(user));
  }

  findById(id: string): Promise<User | null> {
    return this.rows.findOneBy({ id });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.rows.findOneBy({ email });
  }

  /** The account with this address; if it is unverified, with the hashes of all registrations. */
  async findForPassword(email: string): Promise<{ user: User; registeredHashes: string[] } | null> {
    const [row] = await this.rowsOfBuilt<{ registeredHashes: string[] }>(USER_FOR_PASSWORD, [email]);
    return row ? { user: entityOf(User, row), registeredHashes: row.registeredHashes } : null;
  }

  /**
   * The ids of unverified accounts that are older than this and have no registration left.
   * Disabled accounts are kept: otherwise their address could be registered again.
   */
  async listUnregistered(until: Date, limit: number): Promise<string[]> {
    const accounts = await this.rows
      .createQueryBuilder('u')
      .leftJoin(Registration, 'r', 'r.userId = u.id')
      .where({ disabledAt: IsNull(), createdAt: LessThanOrEqual(until) })
      .andWhere('NOT u.isEmailVerified') // not a parameter, which would hide the partial index
      .andWhere('r.id IS NULL')
      .orderBy('u.id')
      .limit(limit)
      .getMany();
    return accounts.map(({ id }) => id);
  }

  /** Which of these addresses belong to verified accounts. */
  async listVerifiedEmails(emails: readonly string[]): Promise<string[]> {
    const where = { email: In([...emails]), isEmailVerified: true };
    return (await this.rows.find({ select: { email: true }, where })).map(({ email }) => email);
  }

  /** The names of accounts by their ids. */
  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.rows.find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** The account, locked until the transaction ends. */
  lock(id: string): Promise<User | null> {
    return this.lockOne({ id });
  }

  /** The account with this address, locked until the transaction ends. */
  lockByEmail(email: string): Promise<User | null> {
    return this.lockOne({ email });
  }

  /** The unverified accounts among these, locked until the transaction ends. */
  lockUnverified(ids: readonly string[]): Promise<User[]> {
    return this.rows.find({
      where: { id: In([...ids]), isEmailVerified: false },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Deletes accounts that this transaction has locked. They must have left all tenants. */
  async remove(users: readonly User[]): Promise<void> {
    await this.rows.delete({ id: In(users.map(({ id }) => id)) });
  }

  /** The account, locked against changes until the transaction ends. */
  lockUnchanged(id: string): Promise<User | null> {
    return this.lockOneShared({ id });
  }

  /** The account, unless it is disabled, locked against changes until the transaction ends. */
  lockEnabled(id: string): Promise<User | null> {
    return this.lockOneShared({ id, disabledAt: null });
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
    const parameters = [provider, providerUserId, email];
    const [row] = await this.unitOfWork.query<{ hasProvider: boolean }>(USER_BY_PROVIDER, parameters);
    return row ? { user: entityOf(User, row), hasProvider: row.hasProvider } : null;
  }

  /**
   * Adds an account with a link. EMAIL_TAKEN if the address or the identity was taken in the
   * meantime.
   */
  addLinked(user: User, link: LinkedProvider): Promise<Result<void, 'EMAIL_TAKEN'>> {
    const { emailTaken } = UserFailures;
    return unlessViolated({ users_email_key: emailTaken, linked_providers_pkey: emailTaken }, () =>
      this.unitOfWork.query(ADD_LINKED, [...ACCOUNT.parameters(user), ...LINK.parameters(link)]),
    );
  }

  /** Stores the mutable fields of an account that this transaction has locked. */
  save(user: User): Promise<void> {
    return this.updateLater(user);
  }

  /**
   * The same after its address was changed. EMAIL_TAKEN, decided by the unique index because of
   * concurrent changes and registrations.
   */
  saveEmail(user: User): Promise<Result<void, 'EMAIL_TAKEN'>> {
    return unlessViolated({ users_email_key: UserFailures.emailTaken }, () => this.update(user));
  }

  /** Stores that the owner of the mailbox knows the password, unless it was changed. */
  async storePasswordProof({ id, passwordHash, passwordSetAt }: User): Promise<void> {
    await this.rows.update({ id, passwordHash: passwordHash! }, { passwordSetAt });
  }

  /**
   * Replaces a hash by another one of the same password.
   * @returns false if the stored hash is no longer `old`
   */
  async replaceHash(id: string, old: string, passwordHash: string): Promise<boolean> {
    return (await this.rows.update({ id, passwordHash: old }, { passwordHash })).affected === 1;
  }
}
