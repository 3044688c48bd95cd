import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { deleteOldest, type OldRows } from '../database/batch-deletion';
import { UnitOfWork } from '../database/unit-of-work';
import { ok, type Result } from '../result';
import { Jobs } from './jobs';

/** Rows per run: few enough for one short statement. */
const BATCH = 5000;

/** Removes about `limit` rows. @returns how many it removed */
type Removal = (limit: number) => Promise<number>;

/** Runs the purges of the modules. */
@Injectable()
export class BatchedPurge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Deletes a batch of each kind of rows, of all tenants, in one transaction.
   * @param again the job that is enqueued while there may be more
   */
  run(again: Command<Result>, ...removals: readonly (OldRows | Removal)[]): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      let isMore = false;
      for (const removal of removals) {
        const remove: Removal =
          typeof removal === 'function' ? removal : (limit) => deleteOldest(this.unitOfWork, removal, limit);
        isMore = (await remove(BATCH)) >= BATCH || isMore;
      }
      if (isMore) await this.jobs.enqueue(again);
      return ok();
    });
  }
}
