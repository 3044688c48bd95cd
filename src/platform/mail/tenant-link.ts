import type { Settings } from '../../config/settings';

/**
 * The address of a page of the web client that shows a tenant. Whoever opens it may have another
 * tenant active: the client switches, and drops the parameter.
 * @param path with a slash in front
 * @param tenantId undefined: whatever tenant is active
 */
export function tenantLink(
  { frontendUrl }: Pick<Settings, 'frontendUrl'>,
  path: string,
  tenantId: string | undefined,
): string {
  return `${frontendUrl}${path}${tenantId === undefined ? '' : `?tenant=${tenantId}`}`;
}
