import { isId } from '../ids';

/**
 * The rows that a transaction may read and write. Row-level security enforces it for every
 * statement (docs/contract.md, Row-level security).
 */
export interface TenantScope {
  /** Null: the rows of no tenant. */
  readonly tenantId: string | null;
  /** If given, also this user's own rows that belong to no tenant. */
  readonly userId?: string | null;
}

/** The scope of work across tenants: one-time tokens, purges, operators. */
export const EVERY_TENANT = 'every tenant';

export type Scope = TenantScope | typeof EVERY_TENANT;

/**
 * The statements that set the scope of the running transaction, as one text for one round trip;
 * `unit-of-work.ts` and, for reads, `database.ts` send it. A tenant's scope sets every variable, so
 * that no value set on the connection counts.
 * @throws when an id is not a UUID: the text has no parameters
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
  if (!isId(id)) throw new Error('A scope requires valid ids.');
  return id;
}
