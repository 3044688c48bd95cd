import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, type Repository } from 'typeorm';
import { violatedConstraint } from '../../../platform/database/database-errors';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { insertOf } from '../../../platform/database/insert-statement';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import type { StripeEvent } from '../../stripe/stripe-event';
import { MATCHING, matching, type SubscriptionKeys } from '../../subscriptions/data/subscription-keys';
import { SyncRun } from '../../sync/domain/sync-run';
import { WebhookEvent } from '../domain/webhook-event';

/** The payload is the signed text, which needs no second parsing. */
export const EVENT = insertOf(WebhookEvent, { except: ['payload'] });

/** Stores an event with its result. */
export const STORE = `INSERT INTO webhook_events (${EVENT.columns}, payload) VALUES (${EVENT.values}, $${EVENT.next})`;

/** The tenants whose subscriptions match the keys $1 to $3. */
const TENANTS = `ARRAY(SELECT s.tenant_id FROM subscriptions s WHERE ${MATCHING})`;

/** Of these tenants, those with an applied event that is newer than $4. @param ids an SQL array */
const overtakenOf = (rows: Repository<WebhookEvent>, ids: string) =>
  rows
    .createQueryBuilder('e')
    .select('DISTINCT e.tenantId', 'id')
    .where(`e.tenantId = ANY(${ids})`)
    .andWhere('e.createdAt > $4 AND e.isApplied');

const OVERTAKEN = (rows: Repository<WebhookEvent>) => overtakenOf(rows, TENANTS);

/** Whether the last finished sync read Stripe after $4, and so contains every change until then. */
const IS_READ = ({ manager }: Repository<WebhookEvent>) =>
  manager
    .createQueryBuilder(SyncRun, 'r')
    .select('r.since > $4')
    .where('r.finishedAt IS NOT NULL')
    .orderBy('r.id', 'DESC')
    .limit(1);

/**
 * In one statement: each statement costs every event. With OFFSET 0, PostgreSQL finds the tenants
 * once.
 */
const KNOWN = (rows: Repository<WebhookEvent>) =>
  rows.manager
    .createQueryBuilder()
    .select(`EXISTS (${rows.createQueryBuilder('e').select('1').where('e.eventId = $5').getQuery()})`, 'isStored')
    .addSelect(`coalesce((${IS_READ(rows).getQuery()}), false)`, 'isRead')
    .addSelect(`ARRAY(${overtakenOf(rows, 'matching.ids').getQuery()})`, 'overtaken')
    .addSelect('matching.ids', 'tenantIds')
    .from(`(SELECT ${TENANTS} AS ids OFFSET 0)`, 'matching');

/** What is stored that an event may be older than. */
export interface KnownFacts {
  /** Whether the event itself is stored. */
  readonly isStored: boolean;
  /** Whether a sync that started after the event has finished. */
  readonly isRead: boolean;
  /** The tenants with an applied event that is newer. */
  readonly overtaken: readonly string[];
  /** The tenants whose subscriptions it may be about. */
  readonly tenantIds: readonly string[];
}

/** Whether a transaction was refused because the event that it stores is already stored. */
export const isStoredEvent = (error: unknown): boolean => violatedConstraint(error) === 'webhook_events_event_id_key';

/**
 * The stored Stripe events. Call within EVERY_TENANT: the tenant of an event is not known at first.
 */
@Injectable()
export class WebhookEventRepository extends EntityRepository<WebhookEvent> {
  constructor(unitOfWork: UnitOfWork) {
    super(WebhookEvent, unitOfWork);
  }

  /** What is known to which an event is compared. @param keys the subscriptions it may be about */
  async known({ eventId, createdAt }: StripeEvent, keys: SubscriptionKeys): Promise<KnownFacts> {
    return (await this.rowsOfBuilt<KnownFacts>(KNOWN, [...matching(keys), createdAt, eventId]))[0];
  }

  /**
   * Stores a received event with its result, together with COMMIT. If a concurrent delivery has
   * stored it, the transaction is rolled back (see `isStoredEvent`).
   * @param payload the signed text
   */
  store(event: WebhookEvent, payload: string): Promise<void> {
    return this.unitOfWork.write(STORE, [...EVENT.parameters(event), payload]);
  }

  /** Locks an event until the transaction ends. */
  lock(id: string): Promise<WebhookEvent | null> {
    return this.lockOne({ id });
  }

  /** Stores the result of an attempt. */
  save(event: WebhookEvent): Promise<void> {
    return this.updateLater(event);
  }

  /** Ignores the oldest events, until an id, that name no tenant. @returns how many */
  async ignoreForeign(untilId: string, limit: number): Promise<number> {
    const waiting = { status: 'needs-attention', isForeign: true, id: LessThanOrEqual(untilId) } as const;
    const events = await this.rows.find({ select: { id: true }, where: waiting, order: { id: 'ASC' }, take: limit });
    // an operator may have replayed one of them meanwhile
    await this.rows.update({ ...waiting, id: In(events.map(({ id }) => id)) }, { status: 'ignored' });
    return events.length;
  }

  /**
   * The tenants of the subscriptions that match any of the keys with an applied event that is newer
   * than a Stripe timestamp. The subscription's row does not show an event that changed nothing.
   */
  async overtaken(keys: SubscriptionKeys, at: Date): Promise<Set<string>> {
    const newer = await this.rowsOfBuilt<{ id: string }>(OVERTAKEN, [...matching(keys), at]);
    return new Set(newer.map(({ id }) => id));
  }
}
