import { DatabaseFunction } from '../../platform/database/database-function';

/** What decides whether a key can be used, and for what. */
export interface KeyRecord {
  readonly tenantId: string;
  readonly id: string;
  readonly serviceAccountId: string | null;
  readonly userId: string | null;
  readonly permissions: readonly string[];
  readonly allowedNetworks: readonly string[];
  readonly perMinute: number | null;
  /** The id under which its requests are counted. */
  readonly countedAs: string;
  /** The user who created it; null if the account was deleted. */
  readonly createdBy: string | null;
  /** From which it was used, as far as they are remembered. */
  readonly usedNetworks: readonly string[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /**
   * From when on the tenant's policy refuses it, because no second factor was proven where it was
   * created; null: never.
   */
  readonly secondFactorFrom: Date | null;
  /** Whether the tenant's policy allows a method that was proven where it was created. */
  readonly isMethodAllowed: boolean;
  /** Whether the service account or the user is disabled. */
  readonly isDisabled: boolean;
  /** The role of the member now; all three are null for a service account. */
  readonly role: string | null;
  readonly isBuiltIn: boolean | null;
  readonly rolePermissions: readonly string[] | null;
}

/**
 * Reads the key with a hash, of whichever tenant: `api_key_of` does what `membership_of` does
 * (docs/decisions/0037-memberships-by-a-function.md).
 */
export const KEY_BY_HASH = new DatabaseFunction<KeyRecord>('api_key_of', {
  tenantId: 'tenant_id',
  id: 'id',
  serviceAccountId: 'service_account_id',
  userId: 'user_id',
  permissions: 'permissions',
  allowedNetworks: 'allowed_networks',
  perMinute: 'per_minute',
  countedAs: 'counted_as',
  createdBy: 'created_by',
  usedNetworks: 'used_networks',
  expiresAt: 'expires_at',
  lastUsedAt: 'last_used_at',
  revokedAt: 'revoked_at',
  secondFactorFrom: 'second_factor_from',
  isMethodAllowed: 'is_method_allowed',
  isDisabled: 'is_disabled',
  role: 'role',
  isBuiltIn: 'is_built_in',
  rolePermissions: 'role_permissions',
});
