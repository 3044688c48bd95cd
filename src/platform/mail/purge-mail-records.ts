import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../clock';
import { Job, Jobs } from '../jobs/jobs';
import { Schedule } from '../jobs/schedule.decorator';
import { ok, type Result } from '../result';
import { UnitOfWork } from '../database/unit-of-work';

/** Rows per run: few enough for one short statement. */
const BATCH = 5000;

/** Deletes counts that no limit needs any more. Enqueues itself until nothing is left. */
@Job('purge-mail-records')
@Schedule('53 3 * * *')
export class PurgeMailRecords extends Command<Result> {}

@CommandHandler(PurgeMailRecords)
export class PurgeMailRecordsHandler implements ICommandHandler<PurgeMailRecords> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    return this.unitOfWork.transaction(async () => {
      const allowances = await this.unitOfWork.query(PURGE_ALLOWANCES, [addSeconds(now, -DAY), BATCH]);
      const suppressed = await this.unitOfWork.query(PURGE_SUPPRESSED, [now, BATCH]);
      const shares = await this.unitOfWork.query(PURGE_SHARES, [addSeconds(now, -DAY), BATCH]);
      await this.unitOfWork.query('DELETE FROM mail_ceilings WHERE hour < $1', [addSeconds(now, -7 * DAY)]);
      if ([allowances, suppressed, shares].some(({ length }) => length === BATCH))
        await this.jobs.enqueue(new PurgeMailRecords());
      return ok();
    });
  }
}

/** The row of a recipient whose counts were all released has no last mail. */
const PURGE_ALLOWANCES = `
  DELETE FROM mail_allowances WHERE (recipient_hash, purpose) IN (
    SELECT recipient_hash, purpose FROM mail_allowances WHERE sent_at[1] <= $1 OR (sent_at[1] IS NULL
      AND next_at <= $1) LIMIT $2)
  RETURNING purpose`;

const PURGE_SUPPRESSED = `
  DELETE FROM suppressed_addresses WHERE address IN (
    SELECT address FROM suppressed_addresses WHERE until <= $1 ORDER BY until LIMIT $2)
  RETURNING address`;

const PURGE_SHARES = `
  DELETE FROM mail_shares WHERE (hour, cause) IN (SELECT hour, cause FROM mail_shares WHERE hour < $1 ORDER BY hour
    LIMIT $2)
  RETURNING cause`;
