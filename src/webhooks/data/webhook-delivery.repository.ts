import { Injectable } from '@nestjs/common';
import { And, In, LessThan, MoreThan, Not, Raw } from 'typeorm';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { momentOf } from '../../platform/ids';
import { WebhookDelivery, type DeliveryState } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { CHALLENGE_TYPE } from '../domain/webhook-message';
import { RETURN_TAKEN, STORE_DELIVERED } from './delivery-statements';
import { COUNT_LATE, TAKE_DUE, type CountedDeliveries, type WantedDeliveries } from './due-deliveries';

/** A delivery that was taken, with the text to send. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery;
  readonly body: string;
}

/** A delivery whose success is recorded, but not stored. */
export interface DeliveredDelivery {
  readonly delivery: WebhookDelivery;
  /** When it would have been due again, which tells whether it was taken meanwhile. */
  readonly until: Date;
}

/** Deliveries that wait for a worker, and messages whose deliveries it has to create. */
export interface LateDeliveries {
  /** At most 10,000 of each. */
  readonly count: number;
  /** Since when the first of them has waited; null: there are none. */
  readonly since: Date | null;
}

/** The key of an endpoint. */
type EndpointKey = Pick<WebhookEndpoint, 'tenantId' | 'id'>;

/** The condition of the index `webhook_deliveries_due_idx`; a parameter would hide it. */
const IS_DUE = Raw((state) => `${state} = 'due'`);

/** The id of an endpoint if it is deleted. */
const deletedEndpoint = ({ tenantId, id }: EndpointKey) =>
  Raw(
    (column) => `${column} = (
      SELECT e.id FROM webhook_endpoints e WHERE e.tenant_id = :ofTenant AND e.id = :endpoint AND e.is_deleted)`,
    { ofTenant: tenantId, endpoint: id },
  );

/** The deliveries of an endpoint that are sent again. */
interface Replay {
  readonly tenantId: string;
  readonly endpointId: string;
  /** The id behind which to begin. */
  readonly after: string;
  /** The id before which to end. */
  readonly before: string;
  readonly onlyFailed: boolean;
}

/** Stores deliveries. The table is their queue. */
@Injectable()
export class WebhookDeliveryRepository extends EntityRepository<WebhookDelivery> {
  constructor(unitOfWork: UnitOfWork) {
    super(WebhookDelivery, unitOfWork);
  }

  async addAll(deliveries: readonly WebhookDelivery[]): Promise<void> {
    if (deliveries.length > 0) await this.insertAllLater(deliveries);
  }

  async takeDue({ now, running, limit, until }: WantedDeliveries): Promise<DueDelivery[]> {
    const parameters = [now, JSON.stringify(running), limit, until];
    const rows = await this.unitOfWork.query<{ body: string }>(TAKE_DUE, parameters);
    return rows.map((row) => ({ delivery: entityOf(WebhookDelivery, row), body: row.body }));
  }

  /** Returns deliveries that nobody sends. @param until as of `takeDue` */
  returnTaken(taken: readonly DueDelivery[], until: Date): Promise<void> {
    const rows = taken.map(({ delivery: { tenantId, id } }) => ({ tenantId, id }));
    return this.unitOfWork.write(RETURN_TAKEN, [JSON.stringify(rows), until]);
  }

  /** Stores successes, with one statement that is sent with COMMIT. */
  storeDelivered(sent: readonly DeliveredDelivery[]): Promise<void> {
    const rows = sent.map(({ delivery: { tenantId, id, attempt, log }, until }) => ({
      tenantId,
      id,
      until,
      attempt,
      log,
    }));
    return this.unitOfWork.write(STORE_DELIVERED, [JSON.stringify(rows)]);
  }

  /** Deliveries that are due and not being sent, and messages without deliveries. */
  async late(now: Date): Promise<LateDeliveries> {
    const [{ count, since, pending, firstPending }] = await this.unitOfWork.query<CountedDeliveries>(COUNT_LATE, [now]);
    const stored = firstPending ? new Date(momentOf(firstPending)) : null;
    return { count: count + pending, since: stored && (!since || stored < since) ? stored : since };
  }

  lock(tenantId: string, id: string): Promise<WebhookDelivery | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves a delivery that this transaction has locked. */
  save(delivery: WebhookDelivery): Promise<void> {
    return this.updateLater(delivery);
  }

  /** The last delivery of an endpoint. */
  newest({ tenantId, id: endpointId }: EndpointKey): Promise<WebhookDelivery | null> {
    return this.rows.findOne({ where: { tenantId, endpointId }, order: { id: 'DESC' } });
  }

  /**
   * Gives up due deliveries of an endpoint that is disabled or not verified; then its challenge
   * stays.
   * @returns how many, at most `limit`
   */
  giveUp(
    { tenantId, id: endpointId, isDisabled }: Pick<WebhookEndpoint, 'tenantId' | 'id' | 'isDisabled'>,
    limit: number,
  ): Promise<number> {
    const where = { tenantId, endpointId, state: IS_DUE, ...(isDisabled ? {} : { type: Not(CHALLENGE_TYPE) }) };
    return this.updateSome(where, { state: 'failed', nextAt: null }, limit);
  }

  /** Removes deliveries of a deleted endpoint. @returns how many, at most `limit` */
  removeOfDeleted(tenantId: string, endpointId: string, limit: number): Promise<number> {
    return this.deleteSome({ tenantId, endpointId: deletedEndpoint({ tenantId, id: endpointId }) }, limit);
  }

  /**
   * Makes the next deliveries due; those that are due stay so.
   * @returns the last id, if there is one, and how many were looked at
   */
  async replay({ tenantId, endpointId, after, before, onlyFailed }: Replay, limit: number, now: Date) {
    const span = { tenantId, endpointId, id: And(MoreThan(after), LessThan(before)) };
    const next = await this.rows.find({ select: { id: true }, where: span, order: { id: 'ASC' }, take: limit });
    const ids = next.map(({ id }) => id);
    const state = onlyFailed ? 'failed' : Not<DeliveryState>('due');
    await this.rows.update(
      { tenantId, id: In(ids), state, type: Not(CHALLENGE_TYPE) },
      { state: 'due', attempt: 0, nextAt: now },
    );
    return { last: ids.at(-1), count: ids.length };
  }
}
