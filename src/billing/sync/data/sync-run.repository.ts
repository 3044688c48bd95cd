import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { entityOf } from '../../../platform/database/entity-of';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { insertOf } from '../../../platform/database/insert-statement';
import { columnsOf } from '../../../platform/database/select-list';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SyncRun } from '../domain/sync-run';

const COLUMNS = columnsOf(SyncRun, 'r');

/** The finished runs, newest first. */
const FINISHED = { where: { finishedAt: Not(IsNull()) }, order: { id: 'DESC' } } as const;

/** The last finished runs, newest first, for EntityReader. */
export const lastRuns = (limit: number) =>
  ({
    select: ['startedAt', 'finishedAt', 'seen', 'corrected', 'unknown', 'unknownPrices'],
    ...FINISHED,
    limit,
  }) as const;

const RUN = insertOf(SyncRun);
/** The scheduled time; null for a run on request. */
const SLOT = `$${RUN.next}::timestamptz`;

const BEGIN = `
  WITH unfinished AS (
    UPDATE sync_runs SET slot = coalesce(${SLOT}, slot)
     WHERE finished_at IS NULL AND NOT has_read_all AND (${SLOT} IS NULL OR slot < ${SLOT})
       AND id = (SELECT id FROM sync_runs ORDER BY id DESC LIMIT 1)
       AND NOT EXISTS (SELECT FROM sync_runs WHERE slot = ${SLOT}) RETURNING id
  ), added AS (
    INSERT INTO ${RUN.into} SELECT ${RUN.values} WHERE NOT EXISTS (SELECT FROM unfinished)
    ON CONFLICT (slot) DO NOTHING RETURNING id
  )
  SELECT id FROM unfinished UNION ALL SELECT id FROM added`;

/** The result of a page of a run. */
export interface Progress {
  /** The cursor of this page and of the next one. */
  readonly from: string | null;
  readonly to: string | null;
  readonly hasReadAll: boolean;
  /** When the oldest on it was created; null for an empty page. */
  readonly reached: Date | null;
  /** Those on it that were created in the same second as the oldest. */
  readonly ties: readonly string[];
  /** Until when the page is complete. The run keeps that of its first page. */
  readonly since: Date;
  readonly seen: number;
  readonly corrected: number;
  readonly unknown: number;
  readonly unknownPrices: readonly string[];
}

/** Prices that a run keeps: enough to see what is wrong. */
const MOST_PRICES = 20;

/** The sync runs, in PostgreSQL. */
@Injectable()
export class SyncRunRepository extends EntityRepository<SyncRun> {
  constructor(unitOfWork: UnitOfWork) {
    super(SyncRun, unitOfWork);
  }

  /**
   * Starts the run of a scheduled time. Of several instances, one starts it. An earlier run that
   * has not read all pages is continued instead.
   * @param slot the scheduled time; null for a run on request
   * @returns the id of the run; undefined if another instance has started it
   */
  async begin(slot: Date | null, now: Date): Promise<string | undefined> {
    const parameters = [...RUN.parameters(SyncRun.begin(slot ?? now, now)), slot];
    const [run] = await this.unitOfWork.query<{ id: string }>(BEGIN, parameters);
    return run?.id;
  }

  find(id: string): Promise<SyncRun | null> {
    return this.rows.findOneBy({ id });
  }

  /** @returns the run after the page; undefined if another job has already done it */
  async advance(id: string, progress: Progress): Promise<SyncRun | undefined> {
    const { from, to, hasReadAll, reached, ties, since, seen, corrected, unknown, unknownPrices } = progress;
    const sql = `
      WITH advanced AS (
        UPDATE sync_runs
           SET reached = coalesce($9, reached), cursor = $3, has_read_all = $4, since = coalesce(since, $5),
               seen = seen + $6, corrected = corrected + $7, "unknown" = "unknown" + $8,
               unknown_prices = ARRAY(SELECT DISTINCT unnest(unknown_prices || $11::text[]) ORDER BY 1
                                       LIMIT ${MOST_PRICES})
         WHERE id = $1 AND cursor IS NOT DISTINCT FROM $2 AND (NOT has_read_all OR $4) AND finished_at IS NULL
         RETURNING *
      ), forgotten AS (
        DELETE FROM sync_ties t USING advanced a WHERE t.run_id = a.id AND (t.created_at <> a.reached OR a.has_read_all)
      ), remembered AS (
        INSERT INTO sync_ties (run_id, subscription_id, created_at)
        SELECT id, unnest($10::text[]), reached FROM advanced WHERE NOT has_read_all ON CONFLICT DO NOTHING
      )
      SELECT ${COLUMNS} FROM advanced r`;
    const parameters = [id, from, to, hasReadAll, since, seen, corrected, unknown, reached, ties, unknownPrices];
    const [run] = await this.unitOfWork.query(sql, parameters);
    return run && entityOf(SyncRun, run);
  }

  async finish(id: string, now: Date): Promise<void> {
    await this.rows.update({ id }, { finishedAt: now });
  }
}
