import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The number of rows in a state. */
export interface RowCount {
  readonly name: 'users' | 'tenants' | 'webhook_events';
  readonly state: string;
  readonly count: number;
}

/** Changes folded per statement, so that it stays short. */
const BATCH = 20_000;

const COUNTS = `
  SELECT name, state, sum(n)::int AS count
    FROM (SELECT name, state, n FROM row_counts UNION ALL SELECT name, state, n FROM row_count_changes) c
   GROUP BY name, state HAVING sum(n) <> 0 ORDER BY name, state`;

/** One statement, so that a reader sees each change in exactly one of the two tables. */
const FOLD = `
  WITH taken AS (
    DELETE FROM row_count_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM row_count_changes LIMIT $1))
      RETURNING name, state, n
  ), folded AS (
    INSERT INTO row_counts (name, state, n) SELECT name, state, sum(n) FROM taken GROUP BY name, state
      ORDER BY name, state
    ON CONFLICT (name, state) DO UPDATE SET n = row_counts.n + excluded.n
  )
  SELECT count(*)::int AS taken FROM taken`;

/**
 * Exact counts of users, tenants and webhook events, maintained by triggers of their tables
 * (docs/decisions/0016), so that rows never have to be counted.
 */
@Injectable()
export class RowCounts {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  read(): Promise<RowCount[]> {
    return this.database.read<RowCount>(COUNTS, []);
  }

  /** Folds the changes since the last run into the counts. */
  async fold(): Promise<Result> {
    let taken: number;
    do [{ taken }] = await this.unitOfWork.query<{ taken: number }>(FOLD, [BATCH]);
    while (taken === BATCH);
    return ok();
  }
}
