import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { Deferrable, Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';

/** Rows per run: small enough for one short statement. */
const BATCH = 5000;

/** Removes what has expired: one-time tokens, refresh tokens, and sessions whose last token is among them. Repeats itself while there is more. */
@Deferrable('purge-expired')
export class PurgeExpired extends Command<Result> {}

@CommandHandler(PurgeExpired)
export class PurgeExpiredHandler implements ICommandHandler<PurgeExpired> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    return this.unitOfWork.run(async () => {
      await this.unitOfWork.query(
        'DELETE FROM one_time_tokens WHERE (user_id, purpose) IN (SELECT user_id, purpose FROM one_time_tokens WHERE expires_at <= $1 LIMIT $2)',
        [now, BATCH],
      );
      const [{ purged }] = await this.unitOfWork.query<{ purged: number }>(
        `WITH gone AS (
           DELETE FROM refresh_tokens WHERE id IN (SELECT id FROM refresh_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
           RETURNING session_id
         ), dead AS (
           DELETE FROM sessions s USING (SELECT DISTINCT session_id FROM gone) g WHERE s.id = g.session_id AND s.expires_at <= $1
         )
         SELECT count(*)::int AS purged FROM gone`,
        [now, BATCH],
      );
      if (purged === BATCH) await this.jobs.later(new PurgeExpired());
      return ok();
    });
  }
}
