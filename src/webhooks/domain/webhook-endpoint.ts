import { isDeepStrictEqual } from 'node:util';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newId } from '../../platform/ids';
import type { SealedPlace } from '../../platform/vault';
import { Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';
import { SignedReceiver } from './signed-receiver';

/** Endpoints of a tenant. */
export const MOST_ENDPOINTS = 10;
/** The highest limit of events per second that a member can choose. */
export const MOST_PER_SECOND = 100;

/** What members choose. */
export interface EndpointDetails {
  readonly url: string;
  readonly description: string;
  /** Types of events that are sent; null: all. */
  readonly types: readonly string[] | null;
  /** Maximum number of events per second; null or absent: no limit. */
  readonly perSecond?: number | null;
}

/** Changes; omitted fields stay as they are. */
export type EndpointChanges = Partial<EndpointDetails> & { readonly enabled?: boolean };

/** A receiver of a tenant's public events. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_id_idx', ['id'])
@Index('webhook_endpoints_created_by_idx', ['createdBy'])
@Index('webhook_endpoints_granted_by_idx', ['grantedBy'])
@Index('webhook_endpoints_unhealthy_idx', ['id'], { where: 'failing_since IS NOT NULL OR disabled_at IS NOT NULL' })
@Check('webhook_endpoints_disabled_why_check', `disabled_why IN ('user', 'gone', 'failing', 'operator')`)
export class WebhookEndpoint extends SignedReceiver {
  @ForeignKey(() => Tenant, { name: 'webhook_endpoints_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoints_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoints_pkey' }) readonly id!: string;
  @Column('text', { array: true, nullable: true }) types!: string[] | null;
  @Column('integer', { nullable: true }) perSecond!: number | null;
  /** When the next event may be sent at the rate `perSecond`; written by what takes deliveries. */
  @Column({ type: 'timestamptz', nullable: true, update: false }) readonly pacedUntil!: Date | null;
  /** When its receiver answered the challenge at this address; null: it has not. */
  @Column('timestamptz', { nullable: true }) verifiedAt!: Date | null;
  /** Whether a member has deleted it. A job removes its deliveries and then its row. */
  @Column('boolean') isDeleted!: boolean;
  /** Null if it is unknown, or the account of the person was deleted. */
  @ForeignKey(() => User, { name: 'webhook_endpoints_created_by_fkey', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', nullable: true })
  readonly createdBy!: string | null;
  @ForeignKey(() => User, { name: 'webhook_endpoints_granted_by_fkey', onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  grantedBy!: string | null;
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /** An endpoint without keys, which need its id. @param createdBy the person */
  static create(tenantId: string, createdBy: string | null, details: EndpointDetails, now: Date): WebhookEndpoint {
    const endpoint = Object.assign(new WebhookEndpoint(), { tenantId, id: newId(), createdBy, createdAt: now });
    Object.assign(endpoint, { oldKeysUntil: null, perSecond: null, pacedUntil: null, verifiedAt: null });
    endpoint.grant(createdBy);
    endpoint.isSlow = false;
    endpoint.isDeleted = false;
    endpoint.enable();
    endpoint.change(details, now);
    return endpoint;
  }

  /** Whether changes lead to another address or other events. */
  isRedirectedBy({ url = this.url, types = this.types }: EndpointChanges): boolean {
    return url !== this.url || !isDeepStrictEqual(types, this.types);
  }

  change(
    { url = this.url, description = this.description, types, perSecond, enabled }: EndpointChanges,
    now: Date,
  ): void {
    if (url !== this.url) this.verifiedAt = null;
    this.url = url;
    this.description = description;
    if (types !== undefined) this.types = types && [...types];
    if (perSecond !== undefined) this.perSecond = perSecond;
    if (enabled === true) this.enable();
    else if (enabled === false && !this.isDisabled) this.disable('user', now);
  }

  /** Its receiver has answered the challenge, so it gets events. */
  verify(now: Date): void {
    this.verifiedAt = now;
  }

  get isVerified(): boolean {
    return this.verifiedAt !== null;
  }

  /** Hides it from members and operators, and ends its deliveries. */
  delete(now: Date): void {
    this.isDeleted = true;
    if (!this.isDisabled) this.disable('user', now);
  }

  get keysPlace(): SealedPlace {
    return { table: 'webhook_endpoints', column: 'keys_enc', id: `${this.tenantId}:${this.id}` };
  }

  /** The key of the job that replays a period: one replay of an endpoint runs at a time. */
  get replayKey(): string {
    return `replay-webhooks:${this.id}`;
  }

  /** Whether events of a type are sent to it. */
  wants(type: string): boolean {
    return this.types?.includes(type) ?? true;
  }
}
