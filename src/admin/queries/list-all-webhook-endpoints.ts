import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { IsNull, Not, Raw, type FindOptionsWhere } from 'typeorm';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { WebhookEndpoint } from '../../webhooks/webhooks.api';
import { endpointForOperators, WEBHOOK_ENDPOINT_COLUMNS } from '../data/webhook-endpoint.columns';
import type { AdminWebhookEndpointView } from '../http/views/webhook-endpoint.views';

/** Failing: it gets messages, and the last ones failed. Unhealthy: failing or disabled. */
export const ENDPOINT_FILTERS = ['unhealthy', 'failing', 'disabled'] as const;
export type EndpointFilter = (typeof ENDPOINT_FILTERS)[number];

/** Filters, combined with AND. */
export interface WebhookEndpointFilter {
  readonly state?: EndpointFilter;
  /** The id of the tenant. */
  readonly tenant?: string;
}

/** Lists webhook endpoints of all tenants, newest first. */
export class ListAllWebhookEndpoints extends Query<Result<Page<AdminWebhookEndpointView>>> {
  constructor(
    readonly filter: WebhookEndpointFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** The index of unhealthy endpoints serves each of them. */
const CONDITIONS: Record<EndpointFilter, FindOptionsWhere<WebhookEndpoint>> = {
  unhealthy: { failingSince: Raw((column) => `(${column} IS NOT NULL OR disabled_at IS NOT NULL)`) },
  failing: { failingSince: Not(IsNull()), disabledAt: IsNull() },
  disabled: { disabledAt: Not(IsNull()) },
};

@QueryHandler(ListAllWebhookEndpoints)
export class ListAllWebhookEndpointsHandler implements IQueryHandler<ListAllWebhookEndpoints> {
  constructor(private readonly reader: EntityReader) {}

  /** Reads the primary, so that an operator sees the effect of a change at once. */
  async execute({ filter: { state, tenant }, page }: ListAllWebhookEndpoints) {
    const where = { ...(state && CONDITIONS[state]), ...withoutUndefined({ tenantId: tenant }), isDeleted: false };
    const rows = { scope: EVERY_TENANT, isFresh: true, select: WEBHOOK_ENDPOINT_COLUMNS, where } as const;
    const { items, nextCursor } = await this.reader.findPage(WebhookEndpoint, rows, page);
    return ok({ items: items.map(endpointForOperators), nextCursor });
  }
}
