import type { Settings } from '../../config/settings';

/** What the database says of the role that asks. */
export interface DatabaseRole {
  readonly ownsTables: boolean;
  readonly bypasses: boolean;
}

/** One row: the DatabaseRole of whoever asks. */
export const DATABASE_ROLE = `
  SELECT rolsuper OR rolbypassrls AS bypasses,
         rolsuper OR EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid
           AND c.relnamespace = current_schema()::regnamespace) AS "ownsTables"
    FROM pg_roles r WHERE r.rolname = current_user`;

/** How well a running service is protected (contract section 11, "Production"). */
export interface Posture {
  readonly production: boolean;
  /**
   * Whether the service's role is another than the owner of the schema; null while the database is
   * away.
   */
  readonly databaseRoles: 'one' | 'two' | null;
  readonly bypassesRowLevelSecurity: boolean | null;
  readonly https: boolean;
  readonly secureCookies: boolean;
  /** As in TRUST_PROXY. */
  readonly trustedProxies: string;
  readonly mailEncrypted: boolean;
  /** Whether limits are counted over all instances together. */
  readonly sharedLimits: boolean;
  readonly exceptions: readonly string[];
  readonly warnings: readonly string[];
}

/** @param role undefined while the database is away */
export function postureOf(settings: Settings, role: DatabaseRole | undefined): Posture {
  const { production, risks, allowInsecure, cookie, trustProxy, redisUrl } = settings;
  const warnings = risks.map(({ problem, isLocal }) => (isLocal ? `${problem} (this machine only)` : problem));
  if (!redisUrl) warnings.push('REDIS_URL is not set: each instance counts its limits for itself');
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
    exceptions: allowInsecure,
    warnings,
  };
}
