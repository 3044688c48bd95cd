import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Raw } from 'typeorm';
import { computed, EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { idBefore, type Page, type PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { DELIVERY_COLUMNS, DELIVERY_STATES, WebhookDelivery, type DeliveryState } from '../../webhooks/webhooks.api';
import type { AdminWebhookAttemptView, AdminWebhookDeliveryView } from '../http/views/webhook-endpoint.views';

/** Filters, combined with AND. */
export interface WebhookDeliveryFilter {
  readonly state?: DeliveryState;
  /** The id of the tenant. */
  readonly tenant?: string;
  /** The id of the endpoint. */
  readonly endpoint?: string;
}

/** Lists deliveries to webhook endpoints of all tenants, newest first, without what was sent. */
export class ListAllWebhookDeliveries extends Query<Result<Page<AdminWebhookDeliveryView>>> {
  constructor(
    readonly filter: WebhookDeliveryFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

const COLUMNS = [...DELIVERY_COLUMNS, 'tenantId', 'endpointId'] as const;

/** The last attempt without the answer, which may hold data of the receiver. */
const LAST_ATTEMPT = computed<AdminWebhookAttemptView | null>(`(r.log -> -1) - 'response'`);

@QueryHandler(ListAllWebhookDeliveries)
export class ListAllWebhookDeliveriesHandler implements IQueryHandler<ListAllWebhookDeliveries> {
  constructor(private readonly reader: EntityReader) {}

  /** One statement: a delivery whose state changes meanwhile is neither missed nor listed twice. */
  async execute({ filter, page }: ListAllWebhookDeliveries): Promise<Result<Page<AdminWebhookDeliveryView>>> {
    const where = conditionsOf(filter) ?? { id: newestOfEachState(page) };
    const rows = { scope: EVERY_TENANT, select: COLUMNS, computed: { lastAttempt: LAST_ATTEMPT }, where } as const;
    return ok(await this.reader.findPage(WebhookDelivery, rows, page));
  }
}

/** Undefined without a filter. Each filter has an index; that of failed ones asks for a literal. */
function conditionsOf({ state, tenant, endpoint }: WebhookDeliveryFilter) {
  if (!state && !tenant && !endpoint) return undefined;
  const tenantId = tenant ?? (endpoint && tenantOf(endpoint));
  const ofState = state && Raw((column) => `${column} = '${state}'`);
  return withoutUndefined({ tenantId, endpointId: endpoint, state: ofState });
}

const tenantOf = (endpoint: string) =>
  Raw((column) => `${column} = (SELECT e.tenant_id FROM webhook_endpoints e WHERE e.id = :endpoint LIMIT 1)`, {
    endpoint,
  });

/**
 * The first rows of each state, for which there is an index, are all that a page can have. The
 * limit is a literal, because a plan for every limit would read the whole table.
 */
function newestOfEachState({ cursor, limit }: PageRequest) {
  const newest = DELIVERY_STATES.map(
    (state) => `(SELECT d.tenant_id, d.id FROM webhook_deliveries d WHERE d.state = '${state}' AND d.id < :before
                  ORDER BY d.id DESC LIMIT ${limit + 1})`,
  );
  return Raw((column) => `(r.tenant_id, ${column}) IN (${newest.join(' UNION ALL ')})`, { before: idBefore(cursor) });
}
