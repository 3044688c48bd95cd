import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AuditPosition } from '../../audit/audit.api';
import { addSeconds } from '../../platform/clock';
import { Sealed } from '../../platform/database/sealed-column.decorator';
import { newId } from '../../platform/ids';
import type { SealedPlace } from '../../platform/vault';
import { Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';
import { pauseAfter, SignedReceiver } from '../../webhooks/webhooks.api';

/** Streams of a tenant. */
export const MOST_STREAMS = 2;
/**
 * Seconds after which another process sends the next batch: longer than a request and the storing
 * of its outcome take.
 */
export const LEASE_SECONDS = 60;
/** The longest pause, about half an hour: nothing else waits for a stream. */
const LONGEST_PAUSE = 3;

/** What a member needs to choose where the log is sent, and must keep. */
export const NEEDED_TO_STREAM = 'tenant.audit.read';

/** What members choose. */
export interface StreamDetails {
  readonly url: string;
  readonly description: string;
}

/** Changes; omitted fields stay as they are. */
export type StreamChanges = Partial<StreamDetails> & { readonly enabled?: boolean };

/** Where a stream starts: after a position, with entries whose ids are not smaller. */
export interface StreamStart {
  readonly after: AuditPosition;
  readonly sinceId: string;
}

/** A receiver of a tenant's audit log. */
@Entity('audit_streams')
@Check('audit_streams_disabled_why_check', `disabled_why IN ('user', 'gone', 'failing', 'operator')`)
@Index('audit_streams_id_idx', ['id'])
@Index('audit_streams_created_by_idx', ['createdBy'])
@Index('audit_streams_granted_by_idx', ['grantedBy'])
@Index('audit_streams_unhealthy_idx', ['id'], { where: 'failing_since IS NOT NULL OR disabled_at IS NOT NULL' })
@Index('audit_streams_next_at_idx', ['nextAt'], { where: 'disabled_at IS NULL' })
export class AuditStream extends SignedReceiver {
  @ForeignKey(() => Tenant, { name: 'audit_streams_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_streams_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_streams_pkey' }) readonly id!: string;
  /** The header Authorization, sealed by the vault; null: none. */
  @Sealed() @Column('text', { nullable: true }) authorizationEnc!: string | null;
  /** Why the last batch failed; null: it did not. */
  @Column('text', { nullable: true }) lastError!: string | null;
  /** The last success at this address. Null: the budget of its host counts (ReceiverHosts). */
  @Column('timestamptz', { nullable: true }) lastSuccessAt!: Date | null;
  /** When the next batch is due. While one is sent: when another process takes over. */
  @Column('timestamptz') nextAt!: Date;
  /** The smallest id of the entries that are sent. */
  @Column({ type: 'uuid', update: false }) readonly sinceId!: string;
  /** The position of the last entry that the receiver has, and all before it. */
  @Column('bigint') sentPosition!: string;
  @Column('uuid') sentId!: string;
  /** Null if it is unknown, or the account of the person was deleted. */
  @ForeignKey(() => User, { name: 'audit_streams_created_by_fkey', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', nullable: true })
  readonly createdBy!: string | null;
  @ForeignKey(() => User, { name: 'audit_streams_granted_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  grantedBy!: string | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** A stream without keys, which need its id. @param createdBy the person */
  static create(
    tenantId: string,
    createdBy: string | null,
    details: StreamDetails,
    { after, sinceId }: StreamStart,
    now: Date,
  ): AuditStream {
    const stream = Object.assign(new AuditStream(), { tenantId, id: newId(), sinceId, createdBy, createdAt: now });
    Object.assign(stream, { ...details, oldKeysUntil: null, authorizationEnc: null });
    Object.assign(stream, { lastError: null, lastSuccessAt: null, nextAt: now });
    Object.assign(stream, { sentPosition: after.position, sentId: after.id });
    stream.grant(createdBy);
    stream.isSlow = true; // until its receiver has answered in time
    stream.enable();
    return stream;
  }

  /**
   * The header Authorization belongs to the origin that it was given for, and ends with it.
   *
   * A changed stream is due within a minute: a batch that is being sent has ended by then, so that
   * there is never a second one.
   */
  change({ url = this.url, description = this.description, enabled }: StreamChanges, now: Date): void {
    if (url !== this.url) this.lastSuccessAt = null;
    if (new URL(url).origin !== new URL(this.url).origin) this.authorizationEnc = null;
    Object.assign(this, { url, description });
    if (enabled === true) this.enable();
    else if (enabled === false && !this.isDisabled) this.disable('user', now);
    const lease = addSeconds(now, LEASE_SECONDS);
    if (this.nextAt > lease) this.nextAt = lease;
  }

  setAuthorization(sealed: string | null): void {
    this.authorizationEnc = sealed;
  }

  /**
   * The receiver has all entries up to a position. The next batch is due.
   * @param at the address at which it got them
   */
  advance({ position, id }: AuditPosition, at: string, now: Date): void {
    this.succeed();
    if (at === this.url) this.lastSuccessAt = now;
    Object.assign(this, { sentPosition: position, sentId: id, lastError: null, nextAt: now });
  }

  /**
   * A batch failed; it is due again after a pause.
   * @param retryAfter the seconds that the receiver asks for
   * @param random from 0 to 1
   * @returns whether this failure disabled the stream
   */
  refuse(error: string, isGone: boolean, retryAfter: number | undefined, now: Date, random: number): boolean {
    const isNowDisabled = this.fail(now, isGone);
    const pause = pauseAfter(Math.min(this.failures, LONGEST_PAUSE), retryAfter, random)!;
    Object.assign(this, { lastError: error, nextAt: addSeconds(now, pause) });
    return isNowDisabled;
  }

  /** The position after which the next batch starts. */
  get sent(): AuditPosition {
    return { position: this.sentPosition, id: this.sentId };
  }

  get hasAuthorization(): boolean {
    return this.authorizationEnc !== null;
  }

  get keysPlace(): SealedPlace {
    return this.placeOf('keys_enc');
  }

  get authorizationPlace(): SealedPlace {
    return this.placeOf('authorization_enc');
  }

  private placeOf(column: string): SealedPlace {
    return { table: 'audit_streams', column, id: `${this.tenantId}:${this.id}` };
  }
}
