import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { firstIdAt } from '../../platform/ids';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which notifications are kept, read or not (docs/contract.md, Notifications). */
const RETENTION_SECONDS = 180 * DAY;

/** Removes old notifications of all users. Enqueues itself again while there is more. */
@Job('purge-notifications')
@Schedule('13 4 * * *')
export class PurgeNotifications extends Command<Result> {}

@CommandHandler(PurgeNotifications)
export class PurgeNotificationsHandler implements ICommandHandler<PurgeNotifications> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = firstIdAt(addSeconds(this.clock.now(), -RETENTION_SECONDS)); // ids contain the time of creation
    return this.purge.run(new PurgeNotifications(), { table: 'notifications', key: ['id'], by: 'id', until });
  }
}
