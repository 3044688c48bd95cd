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
   WHERE name = ANY($1::text[]) GROUP BY name, state HAVING sum(n) <> 0 ORDER BY name, state`;

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
}
