import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';

/** The number of rows in a state. */
export interface RowCount {
  readonly name: 'users' | 'tenants' | 'webhook_events';
  readonly state: string;
  readonly count: number;
}

const COUNTS = `
  SELECT name, state, sum(n)::int AS count
    FROM (SELECT name, state, n FROM row_counts UNION ALL SELECT name, state, n FROM row_count_changes) c
   GROUP BY name, state HAVING sum(n) <> 0 ORDER BY name, state`;

/**
 * Exact counts of users, tenants and webhook events, maintained by triggers of their tables
 * (docs/decisions/0016), so that rows never have to be counted.
 */
@Injectable()
export class RowCounts {
  constructor(private readonly database: Database) {}

  read(): Promise<RowCount[]> {
    return this.database.read<RowCount>(COUNTS, []);
  }
}
