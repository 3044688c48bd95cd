import { RowCountsOf } from './parts/row-counts-of';

/** Counts the keys of audit streams by the id of the key that they are sealed with. */
export class RowCountsOfAuditStreamKeys1766000000001 extends RowCountsOf {
  protected readonly counted = {
    table: 'audit_streams',
    name: 'audit_streams.keys_enc',
    triggers: 'audit_stream_keys',
    state: (r: string) => `split_part(${r}.keys_enc, '.', 2)`,
    columns: 'keys_enc',
  };
}
