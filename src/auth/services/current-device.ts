import { currentContext } from '../../platform/observability/request-context';
import type { Device } from '../domain/session';

/** The address and the browser of the running request. */
export function currentDevice(): Device {
  const { ip, userAgent } = currentContext();
  return { ip, userAgent };
}
