import { RowCountsOf } from './parts/row-counts-of';

const state = (r: string) =>
  `CASE WHEN ${r}.is_email_verified THEN 'verified' ELSE 'unverified' END
   || CASE WHEN ${r}.disabled_at IS NULL THEN '' ELSE ' disabled' END`;

export class RowCountsOfUsers1765010300001 extends RowCountsOf {
  protected readonly counted = { table: 'users', state, columns: 'is_email_verified, disabled_at' };
}
