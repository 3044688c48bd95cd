import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** What is counted: the names that the migrations give. A sealed column has its own. */
export type CountName = 'users' | 'tenants' | 'webhook_events' | 'subscription_terms' | `${string}.${string}`;

/** The number of rows in a state. */
export interface RowCount {
  readonly name: CountName;
  readonly state: string;
  readonly count: number;
}

const COUNTS = `
  SELECT name, state, sum(n)::int AS count
    FROM (SELECT name, state, n FROM row_counts UNION ALL SELECT name, state, n FROM row_count_changes) c
   WHERE name = ANY($1::text[]) GROUP BY name, state HAVING sum(n) > 0 ORDER BY name, state`;

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

/**
 * Exact counts of rows by state, maintained by triggers of their tables (docs/decisions/0016), so
 * that rows never have to be counted.
 */
@Injectable()
export class RowCounts {
  constructor(private readonly database: Database) {}

  read(...names: CountName[]): Promise<RowCount[]> {
    return this.database.read<RowCount>(COUNTS, [names]);
  }

  /** Folds changes into the counts. @returns how many changes, at most `limit` */
  async fold(limit: number): Promise<number> {
    return (await this.database.query<{ taken: number }>(FOLD, [limit]))[0].taken;
  }
}
