import { Injectable } from '@nestjs/common';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { WebhookDelivery } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

/** Due deliveries among which a worker chooses. */
const CANDIDATES = 500;

/**
 * Takes due deliveries, some of each endpoint, and makes them due again later in case this process
 * ends. Of two workers at the same time, each gets other ones.
 */
const TAKE_DUE = `
  WITH candidates AS (
    SELECT d.tenant_id, d.id, d.endpoint_id, d.next_at
      FROM webhook_deliveries d JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id
     WHERE d.state = 'due' AND d.next_at <= $1 AND d.endpoint_id <> ALL($2::uuid[]) AND e.disabled_at IS NULL
       AND NOT EXISTS (SELECT FROM deleted_tenants t WHERE t.id = d.tenant_id)
     ORDER BY d.next_at LIMIT ${CANDIDATES}
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY endpoint_id ORDER BY next_at, id) AS place FROM candidates
  ), chosen AS (
    SELECT tenant_id, id FROM ranked
     WHERE place <= $3 - coalesce(($6::jsonb ->> endpoint_id::text)::integer, 0) ORDER BY next_at LIMIT $4
  ), taken AS (
    SELECT d.tenant_id, d.id FROM webhook_deliveries d JOIN chosen USING (tenant_id, id)
     WHERE d.state = 'due' AND d.next_at <= $1 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET next_at = $5 FROM taken
   WHERE d.tenant_id = taken.tenant_id AND d.id = taken.id
  RETURNING ${columnsOf(WebhookDelivery, 'd')}`;

/** The next deliveries of a span, in the order of their ids; those that are due stay so. */
const REPLAY = `
  WITH next AS (
    SELECT tenant_id, id FROM webhook_deliveries
     WHERE tenant_id = $1 AND endpoint_id = $2 AND id > $3 AND id < $4 ORDER BY id LIMIT $5
  ), replayed AS (
    UPDATE webhook_deliveries d SET state = 'due', attempt = 0, next_at = $6 FROM next
     WHERE d.tenant_id = next.tenant_id AND d.id = next.id AND d.state <> 'due' AND (NOT $7 OR d.state = 'failed')
  )
  SELECT max(id::text) AS last, count(*)::int AS count FROM next`;

/** What is due of a disabled endpoint has failed. */
const GIVE_UP = `
  UPDATE webhook_deliveries SET state = 'failed', next_at = NULL
   WHERE (tenant_id, id) IN (
     SELECT tenant_id, id FROM webhook_deliveries
      WHERE tenant_id = $1 AND endpoint_id = $2 AND state = 'due' LIMIT $3 FOR UPDATE)
  RETURNING 1`;

/** Which deliveries a worker takes. */
interface Wanted {
  readonly now: Date;
  /** Most deliveries of an endpoint, together with those that are running. */
  readonly perEndpoint: number;
  /** How many are running, by endpoint. */
  readonly running: ReadonlyMap<string, number>;
  readonly limit: number;
  /** When the taken ones are due again. */
  readonly until: Date;
}

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

  async takeDue({ now, perEndpoint, running, limit, until }: Wanted): Promise<WebhookDelivery[]> {
    const full = [...running].flatMap(([id, count]) => (count >= perEndpoint ? [id] : []));
    const counts = JSON.stringify(Object.fromEntries(running));
    const rows = await this.unitOfWork.query(TAKE_DUE, [now, full, perEndpoint, limit, until, counts]);
    return rows.map((row) => entityOf(WebhookDelivery, row));
  }

  lock(tenantId: string, id: string): Promise<WebhookDelivery | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves a delivery that this transaction has locked. */
  save(delivery: WebhookDelivery): Promise<void> {
    return this.updateLater(delivery);
  }

  /** Gives up due deliveries of an endpoint, which is disabled. @returns how many, at most `limit` */
  async giveUp({ tenantId, id }: Pick<WebhookEndpoint, 'tenantId' | 'id'>, limit: number): Promise<number> {
    return (await this.unitOfWork.query(GIVE_UP, [tenantId, id, limit])).length;
  }

  /** Makes the next deliveries due. @returns the last id and how many were looked at */
  async replay({ tenantId, endpointId, after, before, onlyFailed }: Replay, limit: number, now: Date) {
    const parameters = [tenantId, endpointId, after, before, limit, now, onlyFailed];
    return (await this.unitOfWork.query<{ last: string | null; count: number }>(REPLAY, parameters))[0];
  }
}
