import type { BlockList } from 'node:net';
import type { Caller } from '../../http/access/actor';
import { revocationKeysOf } from '../../http/access/revoked-tokens';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { membershipClaims } from '../../tenants/tenants.api';
import type { KeyRecord } from '../data/key-record';
import { allowedAddresses, allows } from '../domain/key-networks';

/** The caller, or why the key is refused. */
type KeyCheck = Result<
  Caller,
  | 'API_KEY_REVOKED'
  | 'API_KEY_EXPIRED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SIGN_IN_METHOD_NOT_ALLOWED'
>;

/** A key as it was read from the database. */
export class KnownKey {
  readonly caller: Caller;
  /** What revokes it, for every request. */
  readonly revocationKeys: readonly string[];
  private readonly addresses: BlockList | undefined;

  /** @param readAt when it was asked for, in milliseconds */
  constructor(
    readonly record: KeyRecord,
    readonly readAt: number,
  ) {
    this.caller = callerOf(record);
    this.revocationKeys = revocationKeysOf(this.caller);
    this.addresses = allowedAddresses(record.allowedNetworks);
  }

  /**
   * Whether it can be used. API_KEY_REVOKED, API_KEY_EXPIRED, ADDRESS_NOT_ALLOWED; for a personal
   * token SECOND_FACTOR_REQUIRED or SIGN_IN_METHOD_NOT_ALLOWED by the sign-in policy of the tenant.
   */
  check(ip: string | null, now: Date): KeyCheck {
    const { revokedAt, isDisabled, expiresAt, secondFactorFrom, isMethodAllowed } = this.record;
    if (revokedAt || isDisabled) return err(PlatformFailures.apiKeyRevoked);
    if (expiresAt && expiresAt <= now) return err(PlatformFailures.apiKeyExpired);
    if (secondFactorFrom && secondFactorFrom <= now) return err(PlatformFailures.tokenWithoutSecondFactor);
    if (!isMethodAllowed) return err(PlatformFailures.tokenMethodNotAllowed);
    return allows(this.addresses, ip) ? ok(this.caller) : err(PlatformFailures.addressNotAllowed);
  }
}

/** The caller that a key identifies. A personal token may do what its member may do now. */
function callerOf({ tenantId, id, serviceAccountId, userId, expiresAt, ...record }: KeyRecord): Caller {
  const principal = { perMinute: record.perMinute ?? undefined, countedAs: record.countedAs };
  return {
    principal: serviceAccountId
      ? { ...principal, kind: 'service', id: serviceAccountId, createdBy: record.createdBy }
      : { ...principal, kind: 'token', id },
    userId,
    isAdmin: false,
    tenantId,
    role: '',
    permissions: serviceAccountId ? record.permissions : permissionsOfMember(tenantId, record),
    impersonatorId: null,
    tokenId: id,
    expiresAt: expiresAt ? Math.floor(expiresAt.getTime() / 1000) : Infinity,
  };
}

function permissionsOfMember(
  tenantId: string,
  {
    permissions,
    role,
    isBuiltIn,
    rolePermissions,
  }: Pick<KeyRecord, 'permissions' | 'role' | 'isBuiltIn' | 'rolePermissions'>,
): readonly string[] {
  if (role === null) return [];
  const membership = { tenantId, role, isBuiltIn: isBuiltIn === true, permissions: rolePermissions ?? [] };
  return membershipClaims(membership).permissions.filter((held) => permissions.includes(held));
}
