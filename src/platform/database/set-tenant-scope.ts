import { isId } from '../ids';
import { EVERY_TENANT, type Scope } from './tenant-scope';

/**
 * The statements that set the scope of the running transaction, as one text for one round trip.
 * `unit-of-work.ts` sends it, and `data-source-rows.ts` for reads. A tenant's scope sets every
 * variable, so that no value set on the connection counts.
 * @throws when an id is not a UUID: the text has no parameters
 */
export function setTenantScopeSql(scope: Scope): string {
  if (scope === EVERY_TENANT) return `SET LOCAL app.across_tenants = 'on'`;
  const ids = `SET LOCAL app.tenant_id = '${idOrNone(scope.tenantId)}';
    SET LOCAL app.user_id = '${idOrNone(scope.userId)}'`;
  return `SET LOCAL app.across_tenants = 'off'; ${ids}`;
}

/** Adds the row of one tenant to the scope of the running transaction, even if it is deleted. */
export const SHOW_DELETED_TENANT_SQL = `SELECT set_config('app.deleted_tenant_id', $1, true)`;

function idOrNone(id: string | null | undefined): string {
  if (id == null) return '';
  if (!isId(id)) throw new Error('A scope requires valid ids.');
  return id;
}
