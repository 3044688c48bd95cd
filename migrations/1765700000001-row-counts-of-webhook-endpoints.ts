import { RowCountsOf } from './parts/row-counts-of';

/** Counts the keys of webhook endpoints by the id of the key that they are sealed with. */
export class RowCountsOfWebhookEndpoints1765700000001 extends RowCountsOf {
  protected readonly counted = {
    table: 'webhook_endpoints',
    name: 'webhook_endpoints.keys_enc',
    state: (r: string) => `split_part(${r}.keys_enc, '.', 2)`,
    columns: 'keys_enc',
  };
}
