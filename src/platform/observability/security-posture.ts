import type { Settings } from '../../config/settings';
import type { DatabaseRole } from '../database/database-role';

/** The security posture of a running service (docs/contract.md, Production). */
export interface Posture {
  readonly production: boolean;
  /**
   * Whether the service's role differs from the owner of the schema; null while the database is
   * unreachable.
   */
  readonly databaseRoles: 'one' | 'two' | null;
  readonly bypassesRowLevelSecurity: boolean | null;
  readonly https: boolean;
  readonly secureCookies: boolean;
  /** The setting TRUST_PROXY. */
  readonly trustedProxies: string;
  readonly mailEncrypted: boolean;
  /** Whether rate limits are shared by all instances. */
  readonly sharedLimits: boolean;
  /** Whether admin access needs a second factor. */
  readonly adminSecondFactor: boolean;
  readonly exceptions: readonly string[];
  readonly warnings: readonly string[];
}

/** @param role undefined while the database is unreachable */
export function postureOf(settings: Settings, role: DatabaseRole | undefined): Posture {
  const { production, risks, allowInsecure, cookie, trustProxy, redisUrl } = settings;
  const adminSecondFactor = settings.adminSecondFactor === 'required';
  const warnings = risks.map(({ problem, isLocal }) => (isLocal ? `${problem} (this machine only)` : problem));
  if (!redisUrl) warnings.push('REDIS_URL is not set: each instance counts its limits for itself');
  if (settings.mail.links === 'direct')
    warnings.push(
      'MAIL_LINKS=direct: a password that a stranger registered stays when its address is verified; use confirm',
    );
  if (!adminSecondFactor) warnings.push('ADMIN_SECOND_FACTOR=optional: admins need no second factor');
  if (role?.ownsTables)
    warnings.push('The role of DATABASE_URL owns tables: use another one for MIGRATION_DATABASE_URL');
  if (role?.bypasses) warnings.push('The role of DATABASE_URL bypasses row-level security');
  return {
    production,
    databaseRoles: role ? (role.ownsTables ? 'one' : 'two') : null,
    bypassesRowLevelSecurity: role ? role.bypasses : null,
    https: !risks.some(({ exception }) => exception === 'http'),
    secureCookies: cookie.secure,
    trustedProxies: String(trustProxy),
    mailEncrypted: !risks.some(({ exception }) => exception === 'smtp'),
    sharedLimits: redisUrl !== undefined,
    adminSecondFactor,
    exceptions: allowInsecure,
    warnings,
  };
}
