import { Injectable } from '@nestjs/common';

/**
 * A response with an error status or an unexpected body, which is not kept: it may hold a token.
 */
export class ProviderResponseError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/**
 * The HTTP client for identity providers. It replaces the one of the passport strategies, which has
 * no timeout, sends access tokens in URLs (Google), and crashes the process when a response is not
 * JSON (GitHub).
 */
@Injectable()
export class ProviderClient {
  /** Timeout of one request in milliseconds. */
  readonly timeoutMs: number = 5000;

  /** Sends a form (RFC 6749 section 4.1.3). */
  async post(url: string, form: Record<string, string>): Promise<Json> {
    return objectIn(await this.request(url, { method: 'POST', body: new URLSearchParams(form) }));
  }

  /** Reads an object with an access token. */
  async get(url: string, accessToken: string): Promise<Json> {
    return objectIn(await this.read(url, accessToken));
  }

  /** Reads a list of objects with an access token. */
  async list(url: string, accessToken: string): Promise<Json[]> {
    const items = await this.read(url, accessToken);
    if (!Array.isArray(items)) throw new ProviderResponseError('expected a list');
    return items.map(objectIn);
  }

  private read(url: string, accessToken: string): Promise<unknown> {
    return this.request(url, { headers: { Authorization: `Bearer ${accessToken}` } });
  }

  /** @throws on a timeout, an error status, or a body that is not JSON */
  private async request(url: string, { headers, ...options }: RequestInit): Promise<unknown> {
    const response = await fetch(url, {
      ...options,
      headers: { Accept: 'application/json', 'User-Agent': 'tenantry', ...headers },
      redirect: 'error', // the request carries secrets for this URL only
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ProviderResponseError(`status ${response.status}`);
    }
    return jsonIn(await response.text());
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderResponseError('expected JSON'); // the parser's message contains part of the text
  }
}

function objectIn(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProviderResponseError('expected an object');
  return value as Json;
}
