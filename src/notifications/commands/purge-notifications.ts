import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { firstIdAt } from '../../platform/ids';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Seconds for which notifications are kept, read or not (docs/contract.md, Notifications). */
const RETENTION_SECONDS = 180 * DAY;
/** Rows per run, so that one statement stays short. */
const BATCH = 5000;

/** Removes old notifications of all users. Enqueues itself again while there is more. */
@Job('purge-notifications')
@Schedule('13 4 * * *')
export class PurgeNotifications extends Command<Result> {}

/** Ids contain the time of creation. */
const PURGE = `
  DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`;

@CommandHandler(PurgeNotifications)
export class PurgeNotificationsHandler implements ICommandHandler<PurgeNotifications> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const before = firstIdAt(addSeconds(this.clock.now(), -RETENTION_SECONDS));
    return this.unitOfWork.acrossTenants(async () => {
      const purged = await this.unitOfWork.query(PURGE, [before, BATCH]);
      if (purged.length === BATCH) await this.jobs.enqueue(new PurgeNotifications());
      return ok();
    });
  }
}
