import { Injectable } from '@nestjs/common';
import { ArrayContains, In, IsNull, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Failure, type Result } from '../../platform/result';
import { ApiKey } from '../domain/api-key';
import { MAX_REPLACED_KEYS_PER_TENANT, MAX_TOKENS_PER_MEMBER, MAX_USED_NETWORKS } from '../domain/key-limits';
import type { ServiceAccount } from '../domain/service-account';
import { KeyFailures } from '../keys.failures';

/** When a key was used. */
export interface KeyUse {
  readonly tenantId: string;
  readonly id: string;
  readonly at: Date;
  /** A network that was not known for this key; absent: none. */
  readonly network?: string;
}

/** A network that was added to those of a key. */
export interface AddedNetwork {
  readonly tenantId: string;
  readonly id: string;
  /** Whether it is the first one of the key. */
  readonly isFirst: boolean;
}

/**
 * Rows are locked in the order of their keys, so that two instances cannot wait for each other.
 */
const SAVE_USES = `
  UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, used.at)
    FROM (SELECT k.tenant_id, k.id, u.at
            FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) u (tenant_id, id, at)
            JOIN api_keys k ON k.tenant_id = u.tenant_id AND k.id = u.id
           ORDER BY k.tenant_id, k.id FOR NO KEY UPDATE OF k) used
   WHERE k.tenant_id = used.tenant_id AND k.id = used.id`;

/**
 * At most one network of each key: of several instances, one adds it. It follows SAVE_USES in the
 * same transaction, which has locked the rows.
 */
const ADD_NETWORKS = `
  UPDATE api_keys k SET used_networks = k.used_networks || u.network
    FROM unnest($1::uuid[], $2::uuid[], $3::text[]) u (tenant_id, id, network)
   WHERE k.tenant_id = u.tenant_id AND k.id = u.id AND u.network <> ALL (k.used_networks)
     AND cardinality(k.used_networks) < $4
  RETURNING k.tenant_id AS "tenantId", k.id, cardinality(k.used_networks) = 1 AS "isFirst"`;

/** Stores API keys: those of service accounts, and personal tokens. */
@Injectable()
export class ApiKeyRepository extends EntityRepository<ApiKey> {
  constructor(unitOfWork: UnitOfWork) {
    super(ApiKey, unitOfWork);
  }

  /** Adds a key of a service account. The plan limits them (`countUsable`). */
  async add(key: ApiKey): Promise<void> {
    await this.insert(key);
  }

  /** How many keys of service accounts can be used; those that were replaced do not count. */
  countUsable(tenantId: string, now: Date): Promise<number> {
    return this.rows.countBy(usable({ tenantId, userId: IsNull(), rotatedTo: IsNull() }, now));
  }

  /**
   * Adds a personal token in a transaction that holds the tenant's serial lock. LIMIT_REACHED if
   * the member has as many usable ones as allowed.
   */
  addToken(token: ApiKey, now: Date): Promise<Result<void, 'LIMIT_REACHED'>> {
    const others = { tenantId: token.tenantId, userId: token.userId! };
    return this.addWithin(MAX_TOKENS_PER_MEMBER, others, KeyFailures.tooManyTokens, token, now);
  }

  /** The same for a key that replaces another one, which can be used besides for some time. */
  addReplacement(key: ApiKey, now: Date): Promise<Result<void, 'LIMIT_REACHED'>> {
    const others = { tenantId: key.tenantId, rotatedTo: Not(IsNull()) };
    return this.addWithin(MAX_REPLACED_KEYS_PER_TENANT, others, KeyFailures.tooManyReplacedKeys, key, now);
  }

  private async addWithin<C extends string>(
    most: number,
    others: FindOptionsWhere<ApiKey>,
    failure: Failure<C>,
    key: ApiKey,
    now: Date,
  ): Promise<Result<void, C>> {
    if ((await this.rows.countBy(usable(others, now))) >= most) return err(failure);
    await this.insert(key);
    return ok();
  }

  /** The keys of a locked service account that can be used; nobody else can add one. */
  listUsable({ tenantId, id: serviceAccountId }: ServiceAccount, now: Date): Promise<ApiKey[]> {
    return this.rows.findBy(usable({ tenantId, serviceAccountId }, now));
  }

  /** Locks a key in order to change it. Null if there is none. */
  lock(tenantId: string, id: string): Promise<ApiKey | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves a key that this transaction has locked. */
  save(key: ApiKey): Promise<void> {
    return this.updateLater(key);
  }

  /**
   * Deletes a personal token of a user, in whichever tenant.
   * @returns it; undefined if there is none
   */
  async removeToken(userId: string, id: string): Promise<ApiKey | undefined> {
    return (await this.deleteBy({ userId, id }))[0];
  }

  /** Revokes the personal tokens of a user in all tenants. @returns those that were not revoked */
  revokeTokensOf(userId: string, now: Date): Promise<ApiKey[]> {
    return this.revokeAll({ userId }, now);
  }

  /**
   * The personal tokens of a user no longer count as made with a second factor, in all tenants.
   * @param withPasskeys whether a passkey counts no longer either
   * @returns their ids
   */
  async resetProofs(userId: string, withPasskeys: boolean): Promise<string[]> {
    const tokens = { userId, secondFactorAt: Not(IsNull()) };
    const where = withPasskeys ? tokens : { ...tokens, methods: Not(ArrayContains(['passkey'])) };
    return (await this.updateBy(where, { secondFactorAt: null })).map(({ id }) => id);
  }

  /** Revokes keys by their hashes, across tenants. @returns those that were not revoked */
  revokeByHash(hashes: readonly Buffer[], now: Date): Promise<ApiKey[]> {
    return this.revokeAll({ tokenHash: In([...hashes]) }, now);
  }

  /** Locks them in the order of their keys, as SAVE_USES does, so that there is no deadlock. */
  private async revokeAll(keys: FindOptionsWhere<ApiKey>, now: Date): Promise<ApiKey[]> {
    const unrevoked = { ...keys, revokedAt: IsNull() };
    await this.lockLater(unrevoked, 'pessimistic_write');
    return this.updateBy(unrevoked, { revokedAt: now });
  }

  /** Marks the first use of a key. @returns whether this call was the first one */
  async markFirstUse({ tenantId, id, at }: KeyUse): Promise<boolean> {
    return (await this.updateBy({ tenantId, id, lastUsedAt: IsNull() }, { lastUsedAt: at })).length > 0;
  }

  /** Stores when keys were used last, with one statement; runs across tenants. */
  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    const columns = [uses.map(({ tenantId }) => tenantId), uses.map(({ id }) => id), uses.map(({ at }) => at)];
    await this.unitOfWork.query(SAVE_USES, columns);
  }

  /** Remembers networks of uses that were saved before (`saveUses`). @returns the new ones */
  addNetworks(uses: readonly KeyUse[]): Promise<AddedNetwork[]> {
    const networks = uses.map(({ network }) => network);
    const columns = [uses.map(({ tenantId }) => tenantId), uses.map(({ id }) => id), networks];
    return this.unitOfWork.query<AddedNetwork>(ADD_NETWORKS, [...columns, MAX_USED_NETWORKS]);
  }
}

/** Those among the keys that are neither revoked nor expired. */
const usable = (keys: FindOptionsWhere<ApiKey>, now: Date): FindOptionsWhere<ApiKey>[] =>
  [IsNull(), MoreThan(now)].map((expiresAt) => ({ ...keys, revokedAt: IsNull(), expiresAt }));
