import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addSeconds, Clock, DAY } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which a host is remembered after its last turn. */
const RETENTION_SECONDS = 30 * DAY;

/** Removes hosts that were not asked for long. Enqueues itself again while there is more. */
@Job('purge-receiver-hosts')
@Schedule('47 3 * * *')
export class PurgeReceiverHosts extends Command<Result> {}

@CommandHandler(PurgeReceiverHosts)
export class PurgeReceiverHostsHandler implements ICommandHandler<PurgeReceiverHosts> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.purge.run(new PurgeReceiverHosts(), { table: 'receiver_hosts', key: ['host'], by: 'next_at', until });
  }
}
