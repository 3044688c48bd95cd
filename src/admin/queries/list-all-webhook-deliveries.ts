import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { computed, EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import {
  DELIVERY_COLUMNS,
  DELIVERY_STATES,
  WebhookDelivery,
  WebhookEndpoint,
  type DeliveryState,
} from '../../webhooks/webhooks.api';
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

  async execute({ filter, page }: ListAllWebhookDeliveries): Promise<Result<Page<AdminWebhookDeliveryView>>> {
    const { state, endpoint: endpointId } = filter;
    const tenantId = filter.tenant ?? (endpointId && (await this.tenantOf(endpointId)));
    if (endpointId && !tenantId) return ok({ items: [], nextCursor: null });
    const within = withoutUndefined({ tenantId, endpointId });
    if (state ?? tenantId) return ok(await this.page({ ...within, ...withoutUndefined({ state }) }, page));
    return ok(await this.ofEveryState(page));
  }

  /** One index serves each state, and so all of them. */
  private async ofEveryState({ cursor, limit }: PageRequest): Promise<Page<AdminWebhookDeliveryView>> {
    const pages = await Promise.all(DELIVERY_STATES.map((state) => this.page({ state }, { cursor, limit: limit + 1 })));
    const newest = pages.flatMap(({ items }) => items).sort((a, b) => (a.id < b.id ? 1 : -1));
    return pageOf(newest, limit);
  }

  private page(where: object, page: PageRequest): Promise<Page<AdminWebhookDeliveryView>> {
    const rows = { scope: EVERY_TENANT, select: COLUMNS, computed: { lastAttempt: LAST_ATTEMPT }, where } as const;
    return this.reader.findPage(WebhookDelivery, rows, page);
  }

  private async tenantOf(id: string): Promise<string | undefined> {
    const rows = { scope: EVERY_TENANT, select: ['tenantId'], where: { id } } as const;
    return (await this.reader.findOne(WebhookEndpoint, rows))?.tenantId;
  }
}
