import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { newId } from '../../../platform/ids';
import type { SyncRun } from '../domain/sync-run';

/** The columns of a SyncRun. */
export const SYNC_RUN = `id, slot, started_at AS "startedAt", finished_at AS "finishedAt", since, cursor, reached,
  has_read_all AS "hasReadAll", seen, corrected, "unknown"`;

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
  readonly since: Date;
  readonly seen: number;
  readonly corrected: number;
  readonly unknown: number;
}

/** The sync runs, in PostgreSQL. */
@Injectable()
export class SyncRunRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Serializes the starts of runs until the transaction ends. */
  async lockStart(): Promise<void> {
    await this.unitOfWork.query(`SELECT pg_advisory_xact_lock(hashtextextended('begin-sync', 0))`, []);
  }

  /**
   * Starts the run of a scheduled time. Of several instances, one starts it. An earlier run that
   * has not read all pages is continued instead.
   * @param slot the scheduled time; null for a run on request
   * @returns the id of the run; undefined if another instance has started it
   */
  async begin(slot: Date | null, now: Date): Promise<string | undefined> {
    const sql = `
      WITH unfinished AS (
        UPDATE sync_runs SET slot = coalesce($2, slot)
         WHERE finished_at IS NULL AND NOT has_read_all AND ($2::timestamptz IS NULL OR slot < $2)
           AND id = (SELECT id FROM sync_runs ORDER BY id DESC LIMIT 1)
           AND NOT EXISTS (SELECT FROM sync_runs WHERE slot = $2) RETURNING id
      ), added AS (
        INSERT INTO sync_runs (id, slot, started_at) SELECT $1, coalesce($2, $3), $3 WHERE NOT EXISTS (SELECT
          FROM unfinished)
        ON CONFLICT (slot) DO NOTHING RETURNING id
      )
      SELECT id FROM unfinished UNION ALL SELECT id FROM added`;
    const [run] = await this.unitOfWork.query<{ id: string }>(sql, [newId(), slot, now]);
    return run?.id;
  }

  async find(id: string): Promise<SyncRun | undefined> {
    return (await this.unitOfWork.query<SyncRun>(`SELECT ${SYNC_RUN} FROM sync_runs WHERE id = $1`, [id]))[0];
  }

  /** @returns the run after the page; undefined if another job has already done it */
  async advance(id: string, progress: Progress): Promise<SyncRun | undefined> {
    const { from, to, hasReadAll, reached, ties, since, seen, corrected, unknown } = progress;
    const sql = `
      WITH advanced AS (
        UPDATE sync_runs
           SET reached = coalesce($9, reached), cursor = $3, has_read_all = $4, since = coalesce(since, $5),
               seen = seen + $6, corrected = corrected + $7, "unknown" = "unknown" + $8
         WHERE id = $1 AND cursor IS NOT DISTINCT FROM $2 AND (NOT has_read_all OR $4) AND finished_at IS NULL
         RETURNING *
      ), forgotten AS (
        DELETE FROM sync_ties t USING advanced a WHERE t.run_id = a.id AND (t.created_at <> a.reached OR a.has_read_all)
      ), remembered AS (
        INSERT INTO sync_ties (run_id, subscription_id, created_at)
        SELECT id, unnest($10::text[]), reached FROM advanced WHERE NOT has_read_all ON CONFLICT DO NOTHING
      )
      SELECT ${SYNC_RUN} FROM advanced`;
    const parameters = [id, from, to, hasReadAll, since, seen, corrected, unknown, reached, ties];
    return (await this.unitOfWork.query<SyncRun>(sql, parameters))[0];
  }

  /**
   * Whether the last finished run started to read after a Stripe timestamp. It then contains every
   * change before that time.
   */
  async hasReadSince(at: Date): Promise<boolean> {
    const sql = 'SELECT since FROM sync_runs WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1';
    const [last] = await this.unitOfWork.query<{ since: Date | null }>(sql, []);
    return last?.since != null && last.since > at;
  }

  async finish(id: string, now: Date): Promise<void> {
    await this.unitOfWork.query('UPDATE sync_runs SET finished_at = $2 WHERE id = $1', [id, now]);
  }
}
