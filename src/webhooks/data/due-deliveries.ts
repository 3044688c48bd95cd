import { columnsOf } from '../../platform/database/select-list';
import { WebhookDelivery } from '../domain/webhook-delivery';

/** Requests of this process at a time: to an endpoint, of a tenant, and to slow endpoints. */
const MOST_PER_ENDPOINT = 4;
const MOST_PER_TENANT = 8;
const MOST_TO_SLOW = 16;
/**
 * From when on an endpoint `e` may get events at its rate: now, or since what it got lasts no
 * longer, if others waited then. Workers look once a second, so a longer pause saves up nothing.
 */
const PACED_FROM = `
  CASE WHEN e.paced_until > $1 OR e.paced_until >= greatest(n.due_since, $1::timestamptz - interval '2 seconds')
       THEN greatest(e.paced_until, $1 - interval '1 second') ELSE $1 END`;
/** Times are stored in microseconds, so that three thirds of a second are less than one. */
const ROUNDING = 0.01;

/** Deliveries that are counted as late at most, and messages. */
const MOST_COUNTED = 10_000;

/** The endpoints that have due deliveries, with the earliest: one probe of the index for each. */
const WAITING = `
  waiting AS (
    (SELECT tenant_id, endpoint_id, next_at FROM webhook_deliveries WHERE state = 'due'
      ORDER BY tenant_id, endpoint_id, next_at LIMIT 1)
    UNION ALL
    SELECT n.tenant_id, n.endpoint_id, n.next_at FROM waiting w CROSS JOIN LATERAL (
      SELECT d.tenant_id, d.endpoint_id, d.next_at FROM webhook_deliveries d
       WHERE d.state = 'due' AND (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)
       ORDER BY d.tenant_id, d.endpoint_id, d.next_at LIMIT 1) n
  )`;

/** Whether the endpoint `e` gets the earliest of them, `w`, by now. */
const IS_SENT = `
  w.next_at <= $1 AND e.disabled_at IS NULL AND NOT EXISTS (SELECT FROM deleted_tenants t WHERE t.id = e.tenant_id)`;

/**
 * How many deliveries are late and not being sent, and since when the first of them is; and the
 * same of messages whose deliveries are to be created, by the id of the first one.
 */
export const COUNT_LATE = `
  WITH RECURSIVE ${WAITING}, late AS MATERIALIZED (
    SELECT w.* FROM waiting w JOIN webhook_endpoints e ON e.tenant_id = w.tenant_id AND e.id = w.endpoint_id
     WHERE ${IS_SENT}
  )
  SELECT (SELECT min(next_at) FROM late) AS since, (SELECT count(*)::int FROM (
    SELECT FROM late l JOIN webhook_deliveries d ON d.tenant_id = l.tenant_id AND d.endpoint_id = l.endpoint_id
     WHERE d.state = 'due' AND d.next_at <= $1 LIMIT ${MOST_COUNTED}) one) AS count,
    (SELECT count(*)::int FROM (SELECT FROM webhook_messages WHERE is_pending LIMIT ${MOST_COUNTED}) one) AS pending,
    (SELECT id FROM webhook_messages WHERE is_pending ORDER BY id LIMIT 1) AS "firstPending"`;

/** What COUNT_LATE returns. */
export interface CountedDeliveries {
  readonly count: number;
  readonly since: Date | null;
  readonly pending: number;
  readonly firstPending: string | null;
}

/**
 * Takes due deliveries, and makes them due again later in case this process ends. It looks at the
 * next deliveries of each endpoint only, however many are due; those of tenants and endpoints with
 * few requests come first. Of two workers at the same time, each gets other ones.
 *
 * An endpoint with a rate is locked, so that the rate holds over all workers: it gets one delivery,
 * and what is taken moves the time ahead from which on it gets the next one (`paced_until`).
 */
export const TAKE_DUE = `
  WITH RECURSIVE running AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS r ("tenantId" uuid, "endpointId" uuid, "isSlow" boolean)
  ), ${WAITING}, enabled AS MATERIALIZED (
    SELECT e.tenant_id, e.id AS endpoint_id, is_slow, per_second, w.next_at AS due_since
      FROM waiting w JOIN webhook_endpoints e ON e.tenant_id = w.tenant_id AND e.id = w.endpoint_id
     WHERE ${IS_SENT}
  ), paced AS (
    SELECT e.id, since, floor(extract(epoch FROM $1 - since) * e.per_second + 1 + ${ROUNDING}) AS most
      FROM enabled n JOIN webhook_endpoints e ON e.tenant_id = n.tenant_id AND e.id = n.endpoint_id
     CROSS JOIN LATERAL (SELECT ${PACED_FROM}) AS p (since)
     WHERE n.per_second IS NOT NULL FOR NO KEY UPDATE OF e SKIP LOCKED
  ), open AS (
    SELECT n.tenant_id, endpoint_id, is_slow, CASE WHEN is_slow THEN 1 ELSE ${MOST_PER_ENDPOINT} END AS most,
           CASE WHEN per_second IS NULL THEN ${MOST_PER_ENDPOINT} ELSE coalesce(p.most, 0) END AS of_rate,
           (SELECT count(*) FROM running r WHERE r."endpointId" = endpoint_id) AS of_endpoint,
           (SELECT count(*) FROM running r WHERE r."tenantId" = n.tenant_id) AS of_tenant
      FROM enabled n LEFT JOIN paced p ON p.id = endpoint_id
  ), candidates AS (
    SELECT o.*, d.id, d.next_at,
           of_endpoint + row_number() OVER (PARTITION BY endpoint_id ORDER BY d.next_at, d.id) AS place
      FROM open o CROSS JOIN LATERAL (
        SELECT d.id, d.next_at FROM webhook_deliveries d
         WHERE d.tenant_id = o.tenant_id AND d.endpoint_id = o.endpoint_id AND d.state = 'due' AND d.next_at <= $1
         ORDER BY d.next_at LIMIT greatest(least(o.most - o.of_endpoint, o.of_rate), 0)) d
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
    SELECT d.tenant_id, d.id, d.endpoint_id FROM webhook_deliveries d JOIN chosen USING (tenant_id, id)
     WHERE d.state = 'due' AND d.next_at <= $1 FOR UPDATE OF d SKIP LOCKED
  ), counted AS (
    UPDATE webhook_endpoints e
       SET paced_until = p.since + make_interval(secs => n.count / e.per_second::float8)
      FROM (SELECT tenant_id, endpoint_id, count(*) FROM taken GROUP BY tenant_id, endpoint_id) n
      JOIN paced p ON p.id = n.endpoint_id
     WHERE e.tenant_id = n.tenant_id AND e.id = n.endpoint_id
  )
  UPDATE webhook_deliveries d SET next_at = $4 FROM taken, webhook_messages m
   WHERE d.tenant_id = taken.tenant_id AND d.id = taken.id AND m.tenant_id = d.tenant_id AND m.id = d.message_id
  RETURNING ${columnsOf(WebhookDelivery, 'd')}, m.body AS body`;

/** A request of this process. */
export interface RunningRequest {
  readonly tenantId: string;
  readonly endpointId: string;
  /** Whether the endpoint was slow before. */
  readonly isSlow: boolean;
}

/** Which deliveries a worker takes. */
export interface WantedDeliveries {
  readonly now: Date;
  readonly running: readonly RunningRequest[];
  readonly limit: number;
  /** When the taken ones are due again. */
  readonly until: Date;
}
