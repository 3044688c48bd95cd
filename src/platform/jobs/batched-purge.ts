import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { deleteOldest, type OldRows } from '../database/batch-deletion';
import { UnitOfWork } from '../database/unit-of-work';
import { ok, type Result } from '../result';
import { Jobs } from './jobs';

/** Rows per run: few enough for one short statement. */
const BATCH = 5000;

/** Deletes or settles about `limit` old rows. @returns how many */
type Step = (limit: number) => Promise<number>;

type Again = Command<Result> | (() => Command<Result>);

/** Runs the purges of the modules. */
@Injectable()
export class BatchedPurge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Handles a batch of each kind of rows, of all tenants, in one transaction.
   * @param again the job that is enqueued while there may be more, or a function that makes it
   * after the batch
   */
  run(again: Again, ...kinds: readonly (OldRows | Step)[]): Promise<Result> {
    return this.runBatch(BATCH, again, ...kinds);
  }

  /** The same with fewer rows per run, because each row takes longer. */
  runBatch(batch: number, again: Again, ...kinds: readonly (OldRows | Step)[]): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      let isMore = false;
      for (const kind of kinds) {
        const handled = await (typeof kind === 'function' ? kind(batch) : deleteOldest(this.unitOfWork, kind, batch));
        isMore ||= handled >= batch;
      }
      if (isMore) await this.jobs.enqueue(typeof again === 'function' ? again() : again);
      return ok();
    });
  }
}
