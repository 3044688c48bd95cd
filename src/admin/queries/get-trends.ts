import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { lastRuns, SyncRun } from '../../billing/billing.api';
import { Clock, DAY, HOUR, addSeconds } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { EntityReader } from '../../platform/database/entity-reader';
import { firstIdAt } from '../../platform/ids';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { syncRunSummary } from '../data/sync-run-summary';
import type { RegistrationsView, TrendsView, WebhookHourView } from '../http/views/trends.views';
import { LAG_COLUMNS, LAG_SECONDS } from '../data/webhook-lag';

/** Gets registrations by day, webhook lag by hour and the last sync runs. */
export class GetTrends extends Query<Result<TrendsView>> {}

const DAYS = 30;
const HOURS = 24;
const RUNS = 30;
/** A busy service has more in a day; the newest are used. */
const MAX_EVENTS = 10_000;

/**
 * Ids contain the time of creation, so that a day is a range of the primary key: an index-only
 * scan.
 */
const REGISTRATIONS = `
  SELECT day, (SELECT count(*)::int FROM users WHERE id >= d.first AND id < d.next) AS users
    FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS d (day, first, next) ORDER BY day`;

const WEBHOOKS = `
  SELECT at, ${LAG_COLUMNS}
    FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 hour') AS at
    LEFT JOIN (SELECT date_bin('1 hour', received_at, $1) AS at, ${LAG_SECONDS} AS lag
                 FROM webhook_events WHERE id >= $3 ORDER BY id DESC LIMIT ${MAX_EVENTS}) e USING (at)
   GROUP BY at ORDER BY at`;

@QueryHandler(GetTrends)
export class GetTrendsHandler implements IQueryHandler<GetTrends> {
  constructor(
    private readonly database: Database,
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<Result<TrendsView>> {
    const [registrations, webhooks, runs] = await Promise.all([
      this.registrations(),
      this.webhooks(),
      this.reader.find(SyncRun, lastRuns(RUNS)),
    ]);
    return ok({ registrations, webhooks, syncRuns: runs.reverse().map(syncRunSummary) });
  }

  private registrations(): Promise<RegistrationsView[]> {
    const starts = this.startsOf(DAY, DAYS);
    const days = starts.map((start) => start.toISOString().slice(0, 10));
    return this.database.read(REGISTRATIONS, [
      days,
      starts.map(firstIdAt),
      starts.map((start) => firstIdAt(addSeconds(start, DAY))),
    ]);
  }

  private webhooks(): Promise<WebhookHourView[]> {
    const hours = this.startsOf(HOUR, HOURS);
    return this.database.readInTenant(EVERY_TENANT, WEBHOOKS, [hours[0], hours.at(-1), firstIdAt(hours[0])]);
  }

  /**
   * The start times of the last steps, oldest first; the last is the current one. Days and hours
   * of UTC start at whole multiples.
   */
  private startsOf(seconds: number, count: number): Date[] {
    const last = Math.floor(this.clock.nowInSeconds() / seconds);
    return Array.from({ length: count }, (_, index) => addSeconds(new Date(0), (last - count + 1 + index) * seconds));
  }
}
