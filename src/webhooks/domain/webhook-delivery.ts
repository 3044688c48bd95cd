import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { addSeconds } from '../../platform/clock';
import { newIdAt } from '../../platform/ids';
import { Tenant } from '../../tenants/tenants.api';
import { pauseAfter } from './delivery-retry';
import { WebhookEndpoint } from './webhook-endpoint';
import { CHALLENGE_TYPE, WebhookMessage } from './webhook-message';

export const DELIVERY_STATES = ['due', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Attempts that the log of a delivery keeps: those of the schedule, and some of replays. */
const MOST_LOGGED = 20;
const TOO_MANY_DUE = 'Not sent: too many deliveries to this endpoint were waiting. It can be sent again.';

/** The outcome of an attempt. */
export interface AttemptOutcome {
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why it failed, for members; null for a success. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly response: string;
}

/** An attempt as the log keeps it. */
export interface LoggedAttempt extends AttemptOutcome {
  /** When it ended (ISO 8601). */
  readonly at: string;
  readonly milliseconds: number;
}

/** A message on its way to an endpoint. */
@Entity('webhook_deliveries')
@ForeignKey(() => WebhookMessage, ['tenantId', 'messageId'], ['tenantId', 'id'], {
  name: 'webhook_deliveries_message_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => WebhookEndpoint, ['tenantId', 'endpointId'], ['tenantId', 'id'], {
  name: 'webhook_deliveries_endpoint_fkey',
  onDelete: 'CASCADE',
})
@Unique('webhook_deliveries_message_endpoint_key', ['tenantId', 'messageId', 'endpointId'])
@Index('webhook_deliveries_due_idx', ['tenantId', 'endpointId', 'nextAt'], { where: `state = 'due'` })
@Index('webhook_deliveries_endpoint_idx', ['tenantId', 'endpointId', 'id'])
@Index('webhook_deliveries_state_idx', ['state', 'id'])
@Index('webhook_deliveries_failed_idx', ['tenantId', 'id'], { where: `state = 'failed'` })
@Check('webhook_deliveries_state_check', `state IN ('due', 'delivered', 'failed')`)
export class WebhookDelivery {
  /** Refers to the tenant so that its deletion removes deliveries before what they refer to. */
  @ForeignKey(() => Tenant, { name: 'webhook_deliveries_tenant_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  readonly tenantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' }) readonly id!: string;
  @Column({ type: 'uuid', update: false }) readonly endpointId!: string;
  @Column({ type: 'uuid', update: false }) readonly messageId!: string;
  @Column({ type: 'text', update: false }) readonly type!: string;
  @Column('text') state!: DeliveryState;
  /** Attempts since it was created or replayed. */
  @Column('integer') attempt!: number;
  /** When it is due; while it is being sent, when another process may try again. */
  @Column('timestamptz', { nullable: true }) nextAt!: Date | null;
  /** The attempts, the last one last; with the answers of the last two. */
  @Column('jsonb') log!: LoggedAttempt[];
  @Column({ type: 'timestamptz', update: false }) readonly createdAt!: Date;

  /**
   * A delivery that is due, unless the endpoint is disabled.
   * @param isFull whether too many deliveries of the endpoint are due; then it can be replayed
   */
  static create(
    { id: messageId, type }: Pick<WebhookMessage, 'id' | 'type'>,
    endpoint: WebhookEndpoint,
    now: Date,
    isFull = false,
  ): WebhookDelivery {
    const { tenantId, id: endpointId, isDisabled } = endpoint;
    const initial = isDisabled || isFull ? { state: 'failed', nextAt: null } : { state: 'due', nextAt: now };
    const ids = { tenantId, id: newIdAt(now), endpointId, messageId };
    const refusal = { at: now.toISOString(), milliseconds: 0, status: null, error: TOO_MANY_DUE, response: '' };
    const log = isFull && !isDisabled ? [refusal] : [];
    return Object.assign(new WebhookDelivery(), { ...ids, type, ...initial, attempt: 0, log, createdAt: now });
  }

  /** Whether its message must be answered with a challenge. It is sent once. */
  get isChallenge(): boolean {
    return this.type === CHALLENGE_TYPE;
  }

  /** When it was sent last, or created. */
  get lastAt(): Date {
    const last = this.log.at(-1);
    return last ? new Date(last.at) : this.createdAt;
  }

  /** It is due at a time, if that is later. */
  postpone(until: Date): void {
    if (this.nextAt && this.nextAt < until) this.nextAt = until;
  }

  /** Sends it again from the beginning. Nothing changes if it is still due. */
  replay(now: Date): void {
    if (this.state !== 'due') Object.assign(this, { state: 'due', attempt: 0, nextAt: now });
  }

  /** Gives up because its endpoint is disabled. It can be replayed later. */
  giveUp(): void {
    Object.assign(this, { state: 'failed', nextAt: null });
  }

  /**
   * Records an attempt and plans the next one after a failure.
   * @param retryAfter the seconds that the receiver asks for
   * @param random from 0 to 1
   */
  record(attempt: LoggedAttempt, now: Date, retryAfter: number | undefined, random: number): void {
    this.attempt += 1;
    const earlier = this.log.map((one, i) => (i < this.log.length - 1 ? { ...one, response: '' } : one));
    this.log = [...earlier, attempt].slice(-MOST_LOGGED);
    const isLast = attempt.error === null || this.isChallenge;
    const pause = isLast ? undefined : pauseAfter(this.attempt, retryAfter, random);
    this.nextAt = pause === undefined ? null : addSeconds(now, pause);
    if (pause === undefined) this.state = attempt.error === null ? 'delivered' : 'failed';
  }
}
