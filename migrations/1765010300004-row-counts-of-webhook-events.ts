import { RowCountsOf } from './parts/row-counts-of';

export class RowCountsOfWebhookEvents1765010300004 extends RowCountsOf {
  protected readonly counted = { table: 'webhook_events', state: (r: string) => `${r}.status`, columns: 'status' };
}
