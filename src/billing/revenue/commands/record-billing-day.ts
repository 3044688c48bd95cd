import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Job } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../../platform/result';
import { BillingDayRepository } from '../data/billing-day.repository';
import { BillingDay } from '../domain/billing-day';
import { RevenueCounts } from '../services/revenue-counts';

/**
 * Records subscriptions and revenue of the current day (UTC), in place of what was recorded of it
 * before. The last run of a day is shortly before midnight.
 */
@Job('record-billing-day')
@Schedule('57 * * * *')
export class RecordBillingDay extends Command<Result> {}

@CommandHandler(RecordBillingDay)
export class RecordBillingDayHandler implements ICommandHandler<RecordBillingDay> {
  constructor(
    private readonly counts: RevenueCounts,
    private readonly days: BillingDayRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<Result> {
    const now = this.clock.now();
    const lines = await this.counts.read();
    return this.unitOfWork.transaction(async () => {
      await this.days.record(lines.map((line) => BillingDay.recorded(line, now)));
      return ok();
    });
  }
}
