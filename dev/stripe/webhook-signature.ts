import { createHmac } from 'node:crypto';

/** The header that proves where a payload comes from. @param timestamp in seconds */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')}`;
}
