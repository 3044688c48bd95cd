import { RowCountsOf } from './parts/row-counts-of';

/** Counts the secrets of authenticator apps by the id of the key that they are sealed with. */
export class RowCountsOfTotpFactors1765400000001 extends RowCountsOf {
  protected readonly counted = {
    table: 'totp_factors',
    name: 'totp_factors.secret_enc',
    state: (r: string) => `split_part(${r}.secret_enc, '.', 2)`,
    columns: 'secret_enc',
  };
}
