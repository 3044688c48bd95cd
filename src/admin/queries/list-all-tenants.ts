import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  entitlementCondition,
  planCondition,
  planLookup,
  type EntitlementFilter,
  type PlanFilter,
} from '../../billing/billing.api';
import { Clock } from '../../platform/clock';
import type { Page, PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { AdminTenantView } from '../http/views/tenant.views';
import { readTenants } from '../data/tenant-rows';
import { allOf, idSearch, searchPage, type Condition } from '../data/search-page';

/** Filters, combined with AND. */
export interface TenantFilter extends PlanFilter, EntitlementFilter {
  /** The beginning of any word of the name, in any case, or an id, also of Stripe. */
  readonly search?: string;
}

/** Lists tenants, newest first. */
export class ListAllTenants extends Query<Result<Page<AdminTenantView>>> {
  constructor(
    readonly filter: TenantFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListAllTenants)
export class ListAllTenantsHandler implements IQueryHandler<ListAllTenants> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, page }: ListAllTenants): Promise<Result<Page<AdminTenantView>>> {
    const now = this.clock.now();
    const read = (rows: string, parameters: unknown[]) =>
      readTenants<AdminTenantView>(this.database, { rows, parameters, now });
    return ok(await searchPage(read, 'tenants', conditionOf(filter, now), page));
  }
}

/** A search has an index of its own. */
function conditionOf({ search, plan, status, ...filter }: TenantFilter, now: Date): Condition | undefined {
  const searched = search ? (idSearch(search) ?? stripeSearch(search) ?? wordBeginningWith(search)) : undefined;
  const startsElsewhere = entitlementCondition(filter, now, 3)?.among !== undefined;
  const ofPlan = startsElsewhere ? planLookup : planCondition;
  const condition = allOf(
    () => searched,
    (first) => (plan || status ? ofPlan({ plan, status }, first) : undefined),
    (first) => entitlementCondition(filter, now, first),
  );
  return condition && searched ? { ...condition, among: undefined } : condition;
}

/** The condition for the Stripe customer or subscription of a tenant, if the text is such an id. */
function stripeSearch(text: string): Condition | undefined {
  const kind = /^(cus|sub)_\w+$/.exec(text)?.[1];
  if (!kind) return undefined;
  const column = kind === 'cus' ? 'processor_customer_id' : 'processor_subscription_id';
  return { sql: `r.id = (SELECT s.tenant_id FROM subscriptions s WHERE s.${column} = $3)`, parameters: [text] };
}

/** The last Unicode character. */
const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Compares bytewise: under row-level security PostgreSQL can use the index for these operators, but
 * not for those of LIKE (docs/decisions/0011).
 */
function wordBeginningWith(text: string): Condition {
  return {
    sql: `EXISTS (SELECT FROM tenant_search_terms s WHERE s.tenant_id = r.id
                   AND s.term ~>=~ lower($3::text) AND s.term ~<~ (lower($3::text) || $4::text))`,
    parameters: [text, LAST_CHARACTER],
  };
}
