import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RowCounts } from '../../platform/database/row-counts';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';

/** Folds the changes since the last run into the counts (RowCounts). */
@Schedule('*/5 * * * *', { name: 'fold-row-counts' })
export class FoldRowCounts extends Command<Result> {}

/** Changes folded per statement, so that it stays short. */
const BATCH = 20_000;

@CommandHandler(FoldRowCounts)
export class FoldRowCountsHandler implements ICommandHandler<FoldRowCounts> {
  constructor(private readonly rowCounts: RowCounts) {}

  async execute(): Promise<Result> {
    while ((await this.rowCounts.fold(BATCH)) === BATCH);
    return ok();
  }
}
