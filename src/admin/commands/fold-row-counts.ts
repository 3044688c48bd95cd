import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';

/** Folds the changes since the last run into the counts (RowCounts). */
@Schedule('*/5 * * * *', { name: 'fold-row-counts' })
export class FoldRowCounts extends Command<Result> {}

/** Changes folded per statement, so that it stays short. */
const BATCH = 20_000;

/**
 * One statement, so that a reader sees each change in exactly one of the two tables. States without
 * rows are deleted, because old prices, seats and discounts would accumulate.
 */
const FOLD = `
  WITH taken AS (
    DELETE FROM row_count_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM row_count_changes LIMIT $1))
      RETURNING name, state, n
  ), folded AS (
    INSERT INTO row_counts (name, state, n) SELECT name, state, sum(n) FROM taken GROUP BY name, state
      ORDER BY name, state
    ON CONFLICT (name, state) DO UPDATE SET n = row_counts.n + excluded.n
  ), emptied AS (
    DELETE FROM row_counts c
     WHERE n = 0 AND NOT EXISTS (SELECT FROM taken t WHERE t.name = c.name AND t.state = c.state)
  )
  SELECT count(*)::int AS taken FROM taken`;

@CommandHandler(FoldRowCounts)
export class FoldRowCountsHandler implements ICommandHandler<FoldRowCounts> {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async execute(): Promise<Result> {
    let taken: number;
    do [{ taken }] = await this.unitOfWork.query<{ taken: number }>(FOLD, [BATCH]);
    while (taken === BATCH);
    return ok();
  }
}
