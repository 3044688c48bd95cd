import { signPayload } from './webhook-signature';

/** How a payload is signed and where it is posted. */
export interface WebhookOptions {
  readonly secret?: string;
  readonly header?: 'Stripe-Signature' | 'Processor-Signature';
  readonly url?: string;
  /** In seconds. */
  readonly timestamp?: number;
}

/** How long the service may take to respond. */
const TIMEOUT_MS = 10_000;

/** Posts a signed payload. @returns status 0 if there was no response */
export async function postWebhook(
  payload: string,
  to: Required<WebhookOptions>,
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(to.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        [to.header]: signPayload(payload, to.secret, to.timestamp),
        'User-Agent': 'Stripe/1.0 (local stand-in)',
      },
      body: payload,
      redirect: 'manual', // a redirect counts as a failure
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch {
    return { status: 0, body: undefined };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
