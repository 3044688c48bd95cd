import type { Settings } from '../../config/settings';

/**
 * The URL of a page of the web client for a tenant. If another tenant is active, the client
 * switches and removes the parameter.
 * @param path begins with a slash
 * @param tenantId undefined: the active tenant
 */
export function tenantLink(
  { frontendUrl }: Pick<Settings, 'frontendUrl'>,
  path: string,
  tenantId: string | undefined,
): string {
  return `${frontendUrl}${path}${tenantId === undefined ? '' : `?tenant=${tenantId}`}`;
}
