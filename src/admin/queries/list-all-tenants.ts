import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PLAN_COLUMNS, planCondition, type PlanFilter } from '../../billing/billing.api';
import type { Page, PageQuery } from '../../http/validation/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { AdminTenantView } from '../http/views/admin.views';
import { idSearch, searchPage, type Condition } from '../data/text-search';

/** What is asked for; all that is given must hold. */
export interface TenantFilter extends PlanFilter {
  /** The beginning of the name, in any case, or the id. */
  readonly search?: string;
}

/** Tenants, newest first. */
export class ListAllTenants extends Query<Result<Page<AdminTenantView>>> {
  constructor(
    readonly filter: TenantFilter,
    readonly page: PageQuery,
  ) {
    super();
  }
}

/**
 * The rows of AdminTenantViews out of those of a sub-select of tenants.
 * @param more further columns, of a tenant `r` and its subscription `s`
 */
export const adminTenantsFrom = (rows: string, more = '') => `
  SELECT r.id, r.name, r.created_at AS "createdAt", ${PLAN_COLUMNS}, s.processor_status AS "processorStatus",
         s.processor_customer_id AS "processorCustomerId", s.processor_subscription_id AS "processorSubscriptionId",
         (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = r.id) AS "memberCount",
         json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS owner${more}
    FROM (${rows}) r
    JOIN memberships o ON o.tenant_id = r.id AND o.is_owner
    JOIN users u ON u.id = o.user_id
    LEFT JOIN subscriptions s ON s.tenant_id = r.id
   ORDER BY r.id DESC`;

@QueryHandler(ListAllTenants)
export class ListAllTenantsHandler implements IQueryHandler<ListAllTenants> {
  constructor(private readonly database: Database) {}

  async execute({ filter, page }: ListAllTenants): Promise<Result<Page<AdminTenantView>>> {
    const read = (sql: string, parameters: unknown[]) =>
      this.database.readInTenant<AdminTenantView>(EVERY_TENANT, sql, parameters);
    return ok(await searchPage(read, 'tenants', conditionOf(filter), (rows) => adminTenantsFrom(rows), page));
  }
}

function conditionOf({ search, plan, status }: TenantFilter): Condition | undefined {
  const searched = search ? (idSearch(search) ?? beginningWith(search)) : undefined;
  if (!plan && !status) return searched;
  const { sql, parameters } = planCondition({ plan, status }, 3 + (searched?.parameters.length ?? 0));
  return searched
    ? { sql: `${searched.sql} AND ${sql}`, parameters: [...searched.parameters, ...parameters] }
    : { sql, parameters };
}

/** The last of all characters. */
const LAST = '\u{10FFFF}';

/**
 * By operators that compare byte by byte: those of LIKE could not use the index here (see the
 * migration that makes it).
 */
function beginningWith(text: string): Condition {
  return {
    sql: 'r.name_key ~>=~ lower($3::text) AND r.name_key ~<~ (lower($3::text) || $4::text)',
    parameters: [text, LAST],
  };
}
