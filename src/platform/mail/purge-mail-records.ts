import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../clock';
import { BatchedPurge } from '../jobs/batched-purge';
import { Job } from '../jobs/jobs';
import { Schedule } from '../jobs/schedule.decorator';
import type { Result } from '../result';

/** Deletes counts that no limit needs. Enqueues itself again until nothing is left. */
@Job('purge-mail-records')
@Schedule('53 3 * * *')
export class PurgeMailRecords extends Command<Result> {}

@CommandHandler(PurgeMailRecords)
export class PurgeMailRecordsHandler implements ICommandHandler<PurgeMailRecords> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    const yesterday = addSeconds(now, -DAY);
    const allowances = { table: 'mail_allowances', key: ['recipient_hash', 'purpose'], until: yesterday };
    return this.purge.run(
      new PurgeMailRecords(),
      { ...allowances, by: 'sent_at[1]' },
      // all emails of these were released: none was sent
      { ...allowances, by: 'next_at', where: 'sent_at[1] IS NULL' },
      { table: 'suppressed_addresses', key: ['address'], by: 'until', until: now },
      { table: 'mail_shares', key: ['hour', 'cause'], by: 'hour', until: yesterday },
      { table: 'mail_ceilings', key: ['hour'], by: 'hour', until: addSeconds(now, -7 * DAY) },
    );
  }
}
