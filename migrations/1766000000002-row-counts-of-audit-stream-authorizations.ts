import { RowCountsOf } from './parts/row-counts-of';

/** Counts the headers of audit streams by the id of the key that they are sealed with. */
export class RowCountsOfAuditStreamAuthorizations1766000000002 extends RowCountsOf {
  protected readonly counted = {
    table: 'audit_streams',
    name: 'audit_streams.authorization_enc',
    triggers: 'audit_stream_authorizations',
    state: (r: string) => `split_part(${r}.authorization_enc, '.', 2)`,
    columns: 'authorization_enc',
  };
}
