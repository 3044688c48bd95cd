import { RowCountsOf, UNSUBSCRIBED } from './parts/row-counts-of';

const state = (r: string) => `${r}.plan || ' ' || ${r}.status`;

export class RowCountsOfSubscriptions1765010300003 extends RowCountsOf {
  protected readonly counted = {
    table: 'subscriptions',
    name: 'tenants',
    state,
    columns: 'plan, status',
    before: UNSUBSCRIBED,
  };
}
