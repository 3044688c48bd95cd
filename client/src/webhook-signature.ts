import type { WebhookEvent } from './webhook-events.js';

/** A webhook request as it arrived. */
export interface ReceivedWebhook {
  /** The body before it is parsed: the signature is over its bytes. */
  readonly body: string;
  /** The headers, with names in lower case if they are a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
}

/** Thrown for a request that must not be trusted. */
export class WebhookVerificationError extends Error {}

/** Seconds that the time of a request may differ from the own clock, so that none is replayed. */
const TOLERANCE_SECONDS = 300;
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies a webhook request by the secret of its endpoint (Standard Webhooks 1.0), and returns its
 * event. A repeated request has the same header `webhook-id`.
 * @param secret `whsec_…`
 * @throws WebhookVerificationError if a header is missing, the time differs by more than five
 * minutes, or no signature fits
 */
export async function verifyWebhook({ body, headers }: ReceivedWebhook, secret: string): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = HEADERS.map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A header is missing.');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The request is too old or too new.');
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new WebhookVerificationError('The secret is not one of a webhook endpoint.');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const [version, base64] of signatures.split(' ').map((signature) => signature.split(','))) {
    const signature = version === 'v1' ? bytesOf(base64) : undefined;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature fits.');
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Undefined for a text that is not base64. */
function bytesOf(base64 = ''): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
