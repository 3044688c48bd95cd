import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { newId } from '../../../platform/ids';
import type { SyncRun } from '../domain/sync-run';

/** The columns of a SyncRun. */
export const SYNC_RUN = `id, slot, started_at AS "startedAt", finished_at AS "finishedAt", since, cursor, reached, has_read_all AS "hasReadAll", seen, corrected, "unknown"`;

/** What a page of a run has brought. */
export interface Progress {
  /** Where it began and where the next begins. */
  readonly from: string | null;
  readonly to: string | null;
  readonly hasReadAll: boolean;
  /** When the oldest on it was created; null: it had none. */
  readonly reached: Date | null;
  /** Those on it that were created in that same second. */
  readonly ties: readonly string[];
  readonly since: Date;
  readonly seen: number;
  readonly corrected: number;
  readonly unknown: number;
}

/** The runs of the sync, in PostgreSQL. */
@Injectable()
export class SyncRunRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Serializes the starts of runs until the transaction ends. */
  async lockStart(): Promise<void> {
    await this.unitOfWork.query(`SELECT pg_advisory_xact_lock(hashtextextended('begin-sync', 0))`, []);
  }

  /**
   * Begins the run of a slot. Of many instances one begins it; where an earlier run has not read
   * all pages, that one goes on instead.
   * @param slot null: it is wanted now, whatever the schedule has
   * @returns its id, or undefined: somebody else has
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

  /** @returns the run as it then is, or undefined where somebody else has done this page */
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
   * Whether a run that has come to its end began to read after a moment of the processor's clock:
   * what is older is known by it.
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
