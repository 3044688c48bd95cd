import { Injectable } from '@nestjs/common';
import { entityOf } from '../../platform/database/entity-of';
import { EntityRepository } from '../../platform/database/entity-repository';
import { columnsOf } from '../../platform/database/select-list';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { WebhookDelivery } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

/** Requests of this process at a time: to an endpoint, of a tenant, and to slow endpoints. */
const MOST_PER_ENDPOINT = 4;
const MOST_PER_TENANT = 8;
const MOST_TO_SLOW = 16;
/** Due deliveries of an endpoint; more of them are not sent by themselves. */
const MOST_DUE = 10_000;

/**
 * Takes due deliveries, and makes them due again later in case this process ends. It looks at the
 * next deliveries of each endpoint only, however many are due; those of tenants and endpoints with
 * few requests come first. Of two workers at the same time, each gets other ones.
 */
const TAKE_DUE = `
  WITH RECURSIVE running AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS r ("tenantId" uuid, "endpointId" uuid, "isSlow" boolean)
  ), waiting AS (
    (SELECT tenant_id, endpoint_id FROM webhook_deliveries WHERE state = 'due'
      ORDER BY tenant_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.tenant_id, n.endpoint_id FROM waiting w CROSS JOIN LATERAL (
      SELECT d.tenant_id, d.endpoint_id FROM webhook_deliveries d
       WHERE d.state = 'due' AND (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)
       ORDER BY d.tenant_id, d.endpoint_id LIMIT 1) n
  ), open AS (
    SELECT e.tenant_id, e.id AS endpoint_id, is_slow, CASE WHEN is_slow THEN 1 ELSE ${MOST_PER_ENDPOINT} END AS most,
           (SELECT count(*) FROM running r WHERE r."endpointId" = e.id) AS of_endpoint,
           (SELECT count(*) FROM running r WHERE r."tenantId" = e.tenant_id) AS of_tenant
      FROM waiting w JOIN webhook_endpoints e ON e.tenant_id = w.tenant_id AND e.id = w.endpoint_id
     WHERE e.disabled_at IS NULL AND NOT EXISTS (SELECT FROM deleted_tenants t WHERE t.id = e.tenant_id)
  ), candidates AS (
    SELECT o.*, d.id, d.next_at,
           of_endpoint + row_number() OVER (PARTITION BY endpoint_id ORDER BY d.next_at, d.id) AS place
      FROM open o CROSS JOIN LATERAL (
        SELECT d.id, d.next_at FROM webhook_deliveries d
         WHERE d.tenant_id = o.tenant_id AND d.endpoint_id = o.endpoint_id AND d.state = 'due' AND d.next_at <= $1
         ORDER BY d.next_at LIMIT greatest(o.most - o.of_endpoint, 0)) d
  ), of_tenants AS (
    SELECT *, of_tenant + row_number() OVER (PARTITION BY tenant_id ORDER BY place, next_at, id) AS turn
      FROM candidates
  ), of_all AS (
    SELECT *, row_number() OVER (PARTITION BY is_slow ORDER BY turn, next_at, id) AS slow_place
      FROM of_tenants WHERE turn <= ${MOST_PER_TENANT}
  ), chosen AS (
    SELECT tenant_id, id FROM of_all
     WHERE NOT is_slow OR slow_place <= ${MOST_TO_SLOW} - (SELECT count(*) FROM running r WHERE r."isSlow")
     ORDER BY turn, next_at LIMIT $3
  ), taken AS (
    SELECT d.tenant_id, d.id FROM webhook_deliveries d JOIN chosen USING (tenant_id, id)
     WHERE d.state = 'due' AND d.next_at <= $1 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET next_at = $4 FROM taken
   WHERE d.tenant_id = taken.tenant_id AND d.id = taken.id
  RETURNING ${columnsOf(WebhookDelivery, 'd')}`;

/** Those of some endpoints that have as many due deliveries as they may have. */
const FULL = `
  SELECT id FROM jsonb_to_recordset($1::jsonb) AS e ("tenantId" uuid, id uuid)
   WHERE EXISTS (SELECT FROM webhook_deliveries d
                  WHERE d.tenant_id = "tenantId" AND d.endpoint_id = e.id AND d.state = 'due'
                 OFFSET ${MOST_DUE - 1})`;

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

const REMOVE_OF_DELETED = `
  DELETE FROM webhook_deliveries WHERE (tenant_id, id) IN (
    SELECT d.tenant_id, d.id FROM webhook_deliveries d
     WHERE d.tenant_id = $1 AND d.endpoint_id = $2
       AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.tenant_id = $1 AND e.id = $2 AND e.is_deleted)
     LIMIT $3)
  RETURNING 1`;

/** A request of this process. */
export interface RunningRequest {
  readonly tenantId: string;
  readonly endpointId: string;
  /** Whether the endpoint was slow before. */
  readonly isSlow: boolean;
}

/** Which deliveries a worker takes. */
interface Wanted {
  readonly now: Date;
  readonly running: readonly RunningRequest[];
  readonly limit: number;
  /** When the taken ones are due again. */
  readonly until: Date;
}

/** The key of an endpoint. */
type EndpointKey = Pick<WebhookEndpoint, 'tenantId' | 'id'>;

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

  async takeDue({ now, running, limit, until }: Wanted): Promise<WebhookDelivery[]> {
    const rows = await this.unitOfWork.query(TAKE_DUE, [now, JSON.stringify(running), limit, until]);
    return rows.map((row) => entityOf(WebhookDelivery, row));
  }

  /** The ids of those endpoints for which no more deliveries are to be sent by themselves. */
  async fullOf(endpoints: readonly EndpointKey[]): Promise<ReadonlySet<string>> {
    const keys = JSON.stringify(endpoints.map(({ tenantId, id }) => ({ tenantId, id })));
    return new Set((await this.unitOfWork.query<{ id: string }>(FULL, [keys])).map(({ id }) => id));
  }

  lock(tenantId: string, id: string): Promise<WebhookDelivery | null> {
    return this.lockOne({ tenantId, id });
  }

  /** Saves a delivery that this transaction has locked. */
  save(delivery: WebhookDelivery): Promise<void> {
    return this.updateLater(delivery);
  }

  /** Gives up due deliveries of a disabled endpoint. @returns how many, at most `limit` */
  async giveUp({ tenantId, id }: EndpointKey, limit: number): Promise<number> {
    return (await this.unitOfWork.query(GIVE_UP, [tenantId, id, limit])).length;
  }

  /** Removes deliveries of a deleted endpoint. @returns how many, at most `limit` */
  async removeOfDeleted(tenantId: string, endpointId: string, limit: number): Promise<number> {
    return (await this.unitOfWork.query(REMOVE_OF_DELETED, [tenantId, endpointId, limit])).length;
  }

  /** Makes the next deliveries due. @returns the last id and how many were looked at */
  async replay({ tenantId, endpointId, after, before, onlyFailed }: Replay, limit: number, now: Date) {
    const parameters = [tenantId, endpointId, after, before, limit, now, onlyFailed];
    return (await this.unitOfWork.query<{ last: string | null; count: number }>(REPLAY, parameters))[0];
  }
}
