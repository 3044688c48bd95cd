import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../clock';
import { BatchedPurge } from '../jobs/batched-purge';
import { Job } from '../jobs/jobs';
import { Schedule } from '../jobs/schedule.decorator';
import type { Result } from '../result';

/** Deletes idempotency keys after 24 hours. Enqueues itself until nothing is left. */
@Job('purge-idempotency-keys')
@Schedule('13 * * * *')
export class PurgeIdempotencyKeys extends Command<Result> {}

@CommandHandler(PurgeIdempotencyKeys)
export class PurgeIdempotencyKeysHandler implements ICommandHandler<PurgeIdempotencyKeys> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = addSeconds(this.clock.now(), -DAY);
    return this.purge.run(new PurgeIdempotencyKeys(), {
      table: 'idempotency_keys',
      key: ['id'],
      by: 'created_at',
      until,
    });
  }
}
