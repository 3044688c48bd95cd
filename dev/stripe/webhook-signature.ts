import { createHmac } from 'node:crypto';

/** The value of the Stripe-Signature header. @param timestamp in seconds */
export function signPayload(payload: string, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')}`;
}
