import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { planCondition, type PlanFilter } from '../../billing/billing.api';
import type { Page, PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { AdminTenantView } from '../http/views/tenant.views';
import { readTenants } from '../data/tenant-rows';
import { idSearch, searchPage, type Condition } from '../data/search-page';

/** Filters, combined with AND. */
export interface TenantFilter extends PlanFilter {
  /** The beginning of any word of the name, in any case, or the id. */
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
  constructor(private readonly database: Database) {}

  async execute({ filter, page }: ListAllTenants): Promise<Result<Page<AdminTenantView>>> {
    const read = (rows: string, parameters: unknown[]) => readTenants<AdminTenantView>(this.database, rows, parameters);
    return ok(await searchPage(read, 'tenants', conditionOf(filter), page));
  }
}

function conditionOf({ search, plan, status }: TenantFilter): Condition | undefined {
  const searched = search ? (idSearch(search) ?? wordBeginningWith(search)) : undefined;
  if (!plan && !status) return searched;
  const { sql, parameters } = planCondition({ plan, status }, 3 + (searched?.parameters.length ?? 0));
  return searched
    ? { sql: `${searched.sql} AND ${sql}`, parameters: [...searched.parameters, ...parameters] }
    : { sql, parameters };
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
