/**
 * The rows that a transaction may read and write. Row-level security enforces it for every
 * statement (docs/contract.md, Row-level security). `set-tenant-scope.ts` has the statements.
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

export function isSameScope(one: Scope, other: Scope): boolean {
  if (one === EVERY_TENANT || other === EVERY_TENANT) return one === other;
  return one.tenantId === other.tenantId && (one.userId ?? null) === (other.userId ?? null);
}
