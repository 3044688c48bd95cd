import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { addSeconds, DAY } from '../../platform/clock';
import { Sealed } from '../../platform/database/sealed-column.decorator';
import { newId } from '../../platform/ids';
import { Tenant } from '../../tenants/tenants.api';

/** Endpoints of a tenant. */
export const MOST_ENDPOINTS = 10;
/** An endpoint is disabled after failures only, for so many seconds, and so many of them. */
const FAILING_SECONDS = 5 * DAY;
const FEWEST_FAILURES = 10;
/** Milliseconds of an attempt beyond which an endpoint is slow. */
const SLOW_MS = 5000;

/** Why an endpoint gets nothing: a member chose so, it answered 410, or it kept failing. */
export const DISABLED_REASONS = ['user', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What members choose. */
export interface EndpointDetails {
  readonly url: string;
  readonly description: string;
  /** The types of events that it gets; null: all. */
  readonly types: readonly string[] | null;
}

/** Changes; omitted fields stay as they are. */
export type EndpointChanges = Partial<EndpointDetails> & { readonly enabled?: boolean };

/** A receiver of a tenant's public events. */
@Entity('webhook_endpoints')
@Check('webhook_endpoints_disabled_why_check', `disabled_why IN ('user', 'gone', 'failing')`)
export class WebhookEndpoint {
  @ForeignKey(() => Tenant, { name: 'webhook_endpoints_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoints_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoints_pkey' }) readonly id!: string;
  @Column('text') url!: string;
  @Column('text') description!: string;
  @Column('text', { array: true, nullable: true }) types!: string[] | null;
  /** The keys in force, the new ones first, sealed by the vault (EndpointKeys). */
  @Sealed() @Column('text') keysEnc!: string;
  /** The newest of them, with which receivers can verify. */
  @Column('text') publicKey!: string;
  /** Until when messages are signed with the previous keys, too; null: there are none. */
  @Column('timestamptz', { nullable: true }) oldKeysUntil!: Date | null;
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  @Column('text', { nullable: true }) disabledWhy!: DisabledReason | null;
  /** The first of the failures since the last success. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  /** Failures since the last success. */
  @Column('integer') failures!: number;
  /** Whether the last attempt took long. It then gets one request at a time. */
  @Column('boolean') isSlow!: boolean;
  /** Whether a member has deleted it. A job removes its deliveries and then its row. */
  @Column('boolean') isDeleted!: boolean;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** An endpoint without keys, which need its id. */
  static create(tenantId: string, details: EndpointDetails, now: Date): WebhookEndpoint {
    const endpoint = Object.assign(new WebhookEndpoint(), { tenantId, id: newId(), createdAt: now });
    endpoint.oldKeysUntil = null;
    endpoint.isSlow = false;
    endpoint.isDeleted = false;
    endpoint.enable();
    endpoint.change(details, now);
    return endpoint;
  }

  change({ url = this.url, description = this.description, types, enabled }: EndpointChanges, now: Date): void {
    this.url = url;
    this.description = description;
    if (types !== undefined) this.types = types && [...types];
    if (enabled === true) this.enable();
    else if (enabled === false && !this.isDisabled) this.disable('user', now);
  }

  /** Hides it from everybody, and ends its deliveries. */
  delete(now: Date): void {
    this.isDeleted = true;
    if (!this.isDisabled) this.disable('user', now);
  }

  /** Sets the keys. @param oldUntil until when the previous ones, among them, are in force */
  setKeys(keysEnc: string, publicKey: string, oldUntil: Date | null): void {
    this.keysEnc = keysEnc;
    this.publicKey = publicKey;
    this.oldKeysUntil = oldUntil;
  }

  get isDisabled(): boolean {
    return this.disabledAt !== null;
  }

  /** The key of the job that sends the deliveries of a span again: there is one at a time. */
  get replayKey(): string {
    return `replay-webhooks:${this.id}`;
  }

  /** Whether it gets events of a type. */
  wants(type: string): boolean {
    return this.types?.includes(type) ?? true;
  }

  /** Whether an attempt makes the endpoint slow, or no longer slow. */
  isChangedBy(milliseconds: number): boolean {
    return this.isSlow !== milliseconds > SLOW_MS;
  }

  /** An attempt has ended. */
  measure(milliseconds: number): void {
    this.isSlow = milliseconds > SLOW_MS;
  }

  /** A delivery succeeded. */
  succeed(): void {
    this.failingSince = null;
    this.failures = 0;
  }

  /**
   * A delivery failed.
   * @param isGone the receiver says that it is no more (410)
   * @returns whether the endpoint is disabled by it
   */
  fail(now: Date, isGone: boolean): boolean {
    this.failingSince ??= now;
    this.failures += 1;
    if (this.isDisabled) return false;
    const isFailing = this.failures >= FEWEST_FAILURES && addSeconds(this.failingSince, FAILING_SECONDS) <= now;
    if (isGone || isFailing) this.disable(isGone ? 'gone' : 'failing', now);
    return this.isDisabled;
  }

  private enable(): void {
    Object.assign(this, { disabledAt: null, disabledWhy: null });
    this.succeed();
  }

  private disable(why: DisabledReason, now: Date): void {
    Object.assign(this, { disabledAt: now, disabledWhy: why });
  }
}
