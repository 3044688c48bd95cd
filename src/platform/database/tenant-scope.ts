import { isId } from '../ids';

/**
 * Whose rows a transaction may see and change. PostgreSQL holds it to that, whatever its statements
 * say (contract section 4).
 */
export interface TenantScope {
  /** Null: no tenant's rows at all. */
  readonly tenantId: string | null;
  /** Where it is given, also this person's own rows that belong to no tenant. */
  readonly userId?: string | null;
}

/**
 * For work that is not for one tenant (an invitation's token, a purge, operators), and that says so
 * with this word.
 */
export const EVERY_TENANT = 'every tenant';

export type Scope = TenantScope | typeof EVERY_TENANT;

/**
 * The statements that put the running transaction into a scope; they end with it. In one text, so
 * that they cost one round trip. A tenant's scope says all of it, so that nothing that was set for
 * the whole connection counts in it.
 * @throws when an id is none: the text has no parameters
 */
export function scopeStatements(scope: Scope): string {
  if (scope === EVERY_TENANT) return `SET LOCAL app.across_tenants = 'on'`;
  const ids = `SET LOCAL app.tenant_id = '${idOrNone(scope.tenantId)}';
    SET LOCAL app.user_id = '${idOrNone(scope.userId)}'`;
  return `SET LOCAL app.across_tenants = 'off'; ${ids}`;
}

export function isSameScope(one: Scope, other: Scope): boolean {
  return scopeStatements(one) === scopeStatements(other);
}

function idOrNone(id: string | null | undefined): string {
  if (id == null) return '';
  if (!isId(id)) throw new Error('The scope of a transaction is given by ids.');
  return id;
}
