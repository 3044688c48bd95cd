import { isId } from '../ids';
import { EVERY_TENANT, type Scope } from './tenant-scope';

/**
 * The statements that set the scope of the running transaction, as one text for one round trip.
 * `unit-of-work.ts` sends it, and `data-source-rows.ts` that of reads. A tenant's scope sets every
 * variable, so that no value set on the connection counts.
 * @throws when an id is not a UUID: the text has no parameters
 */
export function setTenantScopeSql(scope: Scope): string {
  if (scope === EVERY_TENANT) return `SET LOCAL app.across_tenants = 'on'`;
  const ids = `SET LOCAL app.tenant_id = '${idOrNone(scope.tenantId)}';
    SET LOCAL app.user_id = '${idOrNone(scope.userId)}'`;
  return `SET LOCAL app.across_tenants = 'off'; ${ids}`;
}

/**
 * Sets the scope of a transaction that only reads. $1 to $3 are those of `scopeParameters`. $4
 * enables or disables bitmap scans. $5 is null, or a position that a replica must have replayed:
 * the last column says whether it has, or whether the server is the primary. The statements behind
 * it then see everything up to that position.
 */
export const SET_SCOPE_OF_READ = `
  SELECT set_config('transaction_read_only', 'on', true), set_config('app.across_tenants', $1, true),
         set_config('app.tenant_id', $2, true), set_config('app.user_id', $3, true),
         set_config('enable_bitmapscan', $4, true),
         $5::pg_lsn IS NULL OR NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $5::pg_lsn`;

/** @param scope undefined: the rows of no tenant. @throws when an id is not a UUID */
export function scopeParameters(scope: Scope | undefined): string[] {
  if (scope === EVERY_TENANT) return ['on', '', ''];
  return ['off', idOrNone(scope?.tenantId), idOrNone(scope?.userId)];
}

/**
 * Expressions that open the scope to every tenant within a statement, for what it reads afterwards,
 * and close it, for a transaction across tenants too. A statement that opens it returns one row,
 * which closes it, or is a transaction of its own, so that no later statement sees more than
 * before. Of several rows, the first would close it for the others.
 */
export const OPEN_SCOPE = `set_config('app.across_tenants', 'on', true)`;
export const CLOSE_SCOPE = `set_config('app.across_tenants', 'off', true)`;

/** Adds the row of one tenant to the scope of the running transaction, even if it is deleted. */
export const SHOW_DELETED_TENANT_SQL = `SELECT set_config('app.deleted_tenant_id', $1, true)`;

function idOrNone(id: string | null | undefined): string {
  if (id == null) return '';
  if (!isId(id)) throw new Error('A scope requires valid ids.');
  return id;
}
