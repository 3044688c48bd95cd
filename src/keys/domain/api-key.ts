import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds, HOUR } from '../../platform/clock';
import { newId } from '../../platform/ids';
import type { Permission } from '../../platform/permissions';
import { err, ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { Membership, Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';
import { KeyFailures } from '../keys.failures';
import type { Session } from '../../auth/auth.api';
import { ServiceAccount } from './service-account';

/** Characters at the end of a key that lists show: 24 of its bits, beside the checksum. */
const HINT_CHARACTERS = 4;

/** Whose key it is: that of a service account, or of a member, with what the session had proven. */
export type KeyOwner =
  { readonly serviceAccountId: string } | ({ readonly userId: string } & Pick<Session, 'methods' | 'secondFactorAt'>);

/** What a key is created with. */
export interface KeyTerms {
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
  /** Addresses and ranges; empty: from everywhere. */
  readonly allowedNetworks: readonly string[];
  /** Requests per minute; null: as many as a person. */
  readonly perMinute: number | null;
}

/**
 * A key with which a program calls the API: of a service account, or a personal token of a member,
 * which ends with the membership. Only its SHA-256 is stored.
 */
@Entity('api_keys')
@ForeignKey(() => ServiceAccount, ['tenantId', 'serviceAccountId'], ['tenantId', 'id'], {
  name: 'api_keys_service_account_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Membership, ['tenantId', 'userId'], ['tenantId', 'userId'], {
  name: 'api_keys_membership_fkey',
  onDelete: 'CASCADE',
})
@Unique('api_keys_token_hash_key', ['tokenHash'])
@Check('api_keys_one_owner_check', 'service_account_id IS NULL OR user_id IS NULL')
@Index('api_keys_service_account_idx', ['tenantId', 'serviceAccountId'])
@Index('api_keys_user_id_idx', ['userId', 'tenantId'])
@Index('api_keys_created_by_idx', ['createdBy'])
@Index('api_keys_expires_at_idx', ['expiresAt'])
@Index('api_keys_revoked_at_idx', ['revokedAt'])
export class ApiKey {
  @ForeignKey(() => Tenant, { name: 'api_keys_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' }) readonly id!: string;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly serviceAccountId!: string | null;
  @Column({ type: 'uuid', nullable: true, update: false }) readonly userId!: string | null;
  @Column({ type: 'text', update: false }) readonly name!: string;
  /** The last characters of the key, by which people recognize it. */
  @Column({ type: 'text', update: false }) readonly hint!: string;
  @Column({ type: 'bytea', update: false }) readonly tokenHash!: Buffer;
  @Column({ type: 'text', array: true, update: false }) readonly permissions!: readonly Permission[];
  @Column({ type: 'text', array: true, update: false }) readonly allowedNetworks!: readonly string[];
  @Column({ type: 'integer', nullable: true, update: false }) readonly perMinute!: number | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** Up to a minute late. */
  @Column('timestamptz', { nullable: true }) readonly lastUsedAt!: Date | null;
  /** The first networks that it was used from, in CIDR notation; up to a minute late. */
  @Column({ type: 'text', array: true, default: '{}' }) readonly usedNetworks!: readonly string[];
  /** The first of the keys that led to this one; null: this one. Their requests count together. */
  @Column({ type: 'uuid', nullable: true, update: false }) readonly countedAs!: string | null;
  /**
   * What was proven in the session in which a personal token was created, as in `Session`. The
   * sign-in policy of the tenant applies to it; the function `api_key_of` decides.
   */
  @Column({ type: 'text', array: true, default: '{}', update: false }) readonly methods!: readonly string[];
  /** When a second factor was proven there; null if none was, and for keys of service accounts. */
  @Column('timestamptz', { nullable: true }) readonly secondFactorAt!: Date | null;
  /** The key that replaces this one. */
  @Column('uuid', { nullable: true }) rotatedTo!: string | null;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
  /** Null if the account of the person was deleted. */
  @ForeignKey(() => User, { name: 'api_keys_created_by_fkey', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', nullable: true })
  readonly createdBy!: string | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** @param token the key itself, see `newKeyToken` */
  static issue(
    tenantId: string,
    owner: KeyOwner,
    terms: KeyTerms,
    token: string,
    createdBy: string | null,
    now: Date,
  ): ApiKey {
    return Object.assign(new ApiKey(), {
      tenantId,
      id: newId(),
      serviceAccountId: 'serviceAccountId' in owner ? owner.serviceAccountId : null,
      userId: 'userId' in owner ? owner.userId : null,
      methods: 'userId' in owner ? owner.methods : [],
      secondFactorAt: 'userId' in owner ? owner.secondFactorAt : null,
      ...terms,
      hint: token.slice(-HINT_CHARACTERS),
      tokenHash: digestOf(token),
      lastUsedAt: null,
      usedNetworks: [],
      countedAs: null,
      rotatedTo: null,
      revokedAt: null,
      createdBy,
      createdAt: now,
    });
  }

  /** Whether it can be used, apart from its owner. */
  isUsable(now: Date): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt > now);
  }

  /** Revokes it. @returns false if it was revoked before */
  revoke(now: Date): boolean {
    if (this.revokedAt) return false;
    this.revokedAt = now;
    return true;
  }

  /**
   * Replaces it by a key with the same terms, which lives as long as this one was to live. Requests
   * of both count together. CONFLICT if it was rotated before or can no longer be used.
   * @param token the new key itself
   * @param overlapHours how long this one can still be used
   */
  rotate(token: string, overlapHours: number, by: string, now: Date): Result<ApiKey, 'CONFLICT'> {
    if (this.rotatedTo || !this.isUsable(now)) return err(KeyFailures.notRotatable);
    const { expiresAt: end, serviceAccountId } = this;
    const expiresAt = end && new Date(now.getTime() + end.getTime() - this.createdAt.getTime());
    const next = ApiKey.issue(
      this.tenantId,
      { serviceAccountId: serviceAccountId! },
      this.termsUntil(expiresAt),
      token,
      by,
      now,
    );
    Object.assign(next, { countedAs: this.countedAs ?? this.id });
    this.rotatedTo = next.id;
    const overlapEnd = addSeconds(now, overlapHours * HOUR);
    this.expiresAt = end && end < overlapEnd ? end : overlapEnd;
    return ok(next);
  }

  private termsUntil(expiresAt: Date | null): KeyTerms {
    const { name, permissions, allowedNetworks, perMinute } = this;
    return { name, permissions, allowedNetworks, perMinute, expiresAt };
  }
}
