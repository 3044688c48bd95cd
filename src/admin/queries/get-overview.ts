import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LAST_RUNS, PLAN_COLUMNS, WEBHOOK_EVENT_STATUSES, type SyncRun, type WebhookEventStatus } from '../../billing/billing.contract';
import { Database } from '../../platform/database';
import { JOB_STATES, JOBS_BY_STATE, type JobState } from '../../platform/job-states';
import { ok, type Result } from '../../platform/result';
import { SecurityPosture } from '../../platform/security-posture';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import { SyncRunView, type OverviewView, type TenantCountView, type UserCountsView, type WebhookLagView } from '../admin.views';
import { LAG_COLUMNS, LAG_SECONDS } from '../webhook-lag';

/** How things are, in numbers. */
export class GetOverview extends Query<Result<OverviewView>> {}

const USERS = `
  SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT is_email_verified)::int AS unverified, count(disabled_at)::int AS disabled FROM users`;

const TENANTS = `
  SELECT ${PLAN_COLUMNS}, count(*)::int AS tenants
    FROM tenants t LEFT JOIN subscriptions s ON s.tenant_id = t.id GROUP BY 1, 2 ORDER BY 1, 2`;

const EVENTS = 'SELECT status, count(*)::int AS events FROM webhook_events GROUP BY status';

const LAG = `
  SELECT ${LAG_COLUMNS}, max(received_at) AS "lastReceivedAt"
    FROM (SELECT received_at, ${LAG_SECONDS} AS lag FROM webhook_events ORDER BY id DESC LIMIT 1000) e`;

@QueryHandler(GetOverview)
export class GetOverviewHandler implements IQueryHandler<GetOverview> {
  constructor(
    private readonly database: Database,
    private readonly posture: SecurityPosture,
  ) {}

  async execute(): Promise<Result<OverviewView>> {
    const [[users], tenants, jobs, events, [webhookLag], [lastRun], security] = await Promise.all([
      this.database.read<UserCountsView>(USERS, []),
      this.database.readWithin<TenantCountView>(EVERY_TENANT, TENANTS, []),
      this.database.query<{ state: JobState; jobs: number }>(JOBS_BY_STATE, []),
      this.database.readWithin<{ status: WebhookEventStatus; events: number }>(EVERY_TENANT, EVENTS, []),
      this.database.readWithin<WebhookLagView>(EVERY_TENANT, LAG, []),
      this.database.read<SyncRun>(LAST_RUNS, [1]),
      this.posture.read(),
    ]);
    return ok({
      users,
      tenants,
      jobs: counts(JOB_STATES, new Map(jobs.map(({ state, jobs: count }) => [state, count]))),
      webhookEvents: counts(WEBHOOK_EVENT_STATUSES, new Map(events.map(({ status, events: count }) => [status, count]))),
      lastSync: lastRun ? SyncRunView.of(lastRun) : null,
      webhookLag,
      security,
    });
  }
}

/** Also what there is none of is said. */
function counts<Name extends string>(names: readonly Name[], found: ReadonlyMap<Name, number>): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0])) as Record<Name, number>;
}
