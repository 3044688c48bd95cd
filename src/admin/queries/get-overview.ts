import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  lastRuns,
  SyncRun,
  WEBHOOK_EVENT_STATUSES,
  type Plan,
  type SubscriptionStatus,
  type WebhookEventStatus,
} from '../../billing/billing.api';
import { Database } from '../../platform/database/database';
import { EntityReader } from '../../platform/database/entity-reader';
import { RowCounts, type RowCount } from '../../platform/database/row-counts';
import { jobsByState } from '../../platform/jobs/job-queues';
import { ok, type Result } from '../../platform/result';
import { SecurityPosture } from '../../platform/observability/security-posture.service';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { OverviewView, TenantCountView, UserCountsView, WebhookLagView } from '../http/views/overview.views';
import { syncRunSummary } from '../data/sync-run-summary';
import { ListQueues } from './list-queues';
import { LAG_COLUMNS, LAG_SECONDS } from '../data/webhook-lag';

/** Gets the current statistics. */
export class GetOverview extends Query<Result<OverviewView>> {}

const LAG = `
  SELECT ${LAG_COLUMNS}, max(received_at) AS "lastReceivedAt"
    FROM (SELECT received_at, ${LAG_SECONDS} AS lag FROM webhook_events ORDER BY id DESC LIMIT 1000) e`;

@QueryHandler(GetOverview)
export class GetOverviewHandler implements IQueryHandler<GetOverview> {
  constructor(
    private readonly database: Database,
    private readonly reader: EntityReader,
    private readonly queries: QueryBus,
    private readonly rowCounts: RowCounts,
    private readonly posture: SecurityPosture,
  ) {}

  async execute(): Promise<Result<OverviewView>> {
    const [rows, queues, [webhookLag], [lastRun], security] = await Promise.all([
      this.rowCounts.read('users', 'tenants', 'webhook_events'),
      this.queries.execute(new ListQueues()),
      this.database.readInTenant<WebhookLagView>(EVERY_TENANT, LAG, []),
      this.reader.find(SyncRun, lastRuns(1)),
      this.posture.read(),
    ]);
    if (!queues.ok) return queues;
    const of = (name: RowCount['name']) => rows.filter((row) => row.name === name);
    return ok({
      users: usersOf(of('users')),
      tenants: of('tenants').map(tenantsOf),
      jobs: jobsByState(queues.value.items),
      webhookEvents: counts(
        WEBHOOK_EVENT_STATUSES,
        new Map(of('webhook_events').map(({ state, count }) => [state as WebhookEventStatus, count])),
      ),
      lastSync: lastRun ? syncRunSummary(lastRun) : null,
      webhookLag,
      security,
    });
  }
}

/** The state of a counted user: verified or unverified, and disabled if it is. */
function usersOf(rows: readonly RowCount[]): UserCountsView {
  const sum = (word: string) =>
    rows.reduce((total, { state, count }) => total + (state.split(' ').includes(word) ? count : 0), 0);
  return { total: sum('verified') + sum('unverified'), unverified: sum('unverified'), disabled: sum('disabled') };
}

/** The state of a counted tenant: its plan and its status. */
function tenantsOf({ state, count }: RowCount): TenantCountView {
  const [plan, status] = state.split(' ') as [Plan, SubscriptionStatus];
  return { plan, status, tenants: count };
}

/** Includes a zero for each name without rows. */
function counts<Name extends string>(names: readonly Name[], found: ReadonlyMap<Name, number>): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0])) as Record<Name, number>;
}
