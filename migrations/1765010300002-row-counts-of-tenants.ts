import { RowCountsOf, UNSUBSCRIBED } from './parts/row-counts-of';

const state = (r: string) => `CASE WHEN ${r}.deleted_at IS NULL THEN '${UNSUBSCRIBED}' END`;

export class RowCountsOfTenants1765010300002 extends RowCountsOf {
  protected readonly counted = { table: 'tenants', state, columns: 'deleted_at' };
}
