import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addSeconds, Clock, DAY } from '../../../platform/clock';
import { BatchedPurge } from '../../../platform/jobs/batched-purge';
import { Job } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import type { Result } from '../../../platform/result';
import { dayOf } from '../domain/billing-day';

/** Seconds for which revenue by day is kept: three years (docs/contract.md, Revenue). */
const RETENTION_SECONDS = 1096 * DAY;

/** Removes old days of revenue. Enqueues itself again while there are more. */
@Job('purge-billing-days')
@Schedule('43 4 * * *')
export class PurgeBillingDays extends Command<Result> {}

@CommandHandler(PurgeBillingDays)
export class PurgeBillingDaysHandler implements ICommandHandler<PurgeBillingDays> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = dayOf(addSeconds(this.clock.now(), -RETENTION_SECONDS));
    const key = ['day', 'plan', 'currency'];
    return this.purge.run(new PurgeBillingDays(), { table: 'billing_days', key, by: 'day', until });
  }
}
