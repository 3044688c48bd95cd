import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock, HOUR, addSeconds, MINUTE } from '../../platform/clock';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import type { JobRatesView, JobRateView } from '../http/views/job.views';

/**
 * Gets the number of finished attempts over the last hours, at most 168: older counts are removed.
 */
export class GetJobRates extends Query<Result<JobRatesView>> {
  constructor(readonly hours: number) {
    super();
  }
}

/** The most intervals that a chart can show. */
const MAX_STEPS = 96;
/**
 * Possible lengths of an interval in seconds: whole minutes, because counts are stored by minute;
 * the longest covers 168 hours.
 */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120].map((minutes) => minutes * MINUTE);

const RATES = `
  SELECT at, coalesce(c.done, 0)::int AS done, coalesce(c.failed, 0)::int AS failed
    FROM generate_series($1::timestamptz, $2::timestamptz, make_interval(secs => $3)) AS at
    LEFT JOIN (SELECT date_bin(make_interval(secs => $3), minute, $1) AS at, sum(done) AS done, sum(failed) AS failed
                 FROM job_counts WHERE minute >= $1 GROUP BY 1) c USING (at)
   ORDER BY at`;

@QueryHandler(GetJobRates)
export class GetJobRatesHandler implements IQueryHandler<GetJobRates> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ hours }: GetJobRates): Promise<Result<JobRatesView>> {
    const stepSeconds = STEPS.find((step) => (hours * HOUR) / step <= MAX_STEPS)!;
    const last = addSeconds(new Date(0), Math.floor(this.clock.nowInSeconds() / stepSeconds) * stepSeconds);
    const first = addSeconds(last, (1 - Math.ceil((hours * HOUR) / stepSeconds)) * stepSeconds);
    return ok({ stepSeconds, items: await this.database.read<JobRateView>(RATES, [first, last, stepSeconds]) });
  }
}
