import { Injectable } from '@nestjs/common';

/**
 * An answer that is no JSON object, or not a success. Its text is not kept: it could hold a token.
 */
export class ProviderAnswerError extends Error {}

type Json = Readonly<Record<string, unknown>>;

/**
 * Asks an identity provider something. Used instead of the transport that the passport strategies
 * bring, which waits for ever, sends access tokens in addresses (Google's), and ends the process
 * when an answer is no JSON (GitHub's addresses).
 */
@Injectable()
export class ProviderClient {
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number = 5000;

  /** Sends a form (RFC 6749 section 4.1.3). */
  async post(url: string, form: Record<string, string>): Promise<Json> {
    return objectIn(await this.ask(url, { method: 'POST', body: new URLSearchParams(form) }));
  }

  /** Reads an object with an access token. */
  async get(url: string, accessToken: string): Promise<Json> {
    return objectIn(await this.read(url, accessToken));
  }

  /** Reads a list of objects with an access token. */
  async list(url: string, accessToken: string): Promise<Json[]> {
    const items = await this.read(url, accessToken);
    if (!Array.isArray(items)) throw new ProviderAnswerError('expected a list');
    return items.map(objectIn);
  }

  private read(url: string, accessToken: string): Promise<unknown> {
    return this.ask(url, { headers: { Authorization: `Bearer ${accessToken}` } });
  }

  /** @throws when nobody answers in time, or what is answered is no success or no JSON */
  private async ask(url: string, { headers, ...request }: RequestInit): Promise<unknown> {
    const response = await fetch(url, {
      ...request,
      headers: { Accept: 'application/json', 'User-Agent': 'tenantry', ...headers },
      redirect: 'error', // what is sent is secret, and for this address only
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ProviderAnswerError(`status ${response.status}`);
    }
    return jsonIn(await response.text());
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderAnswerError('expected JSON'); // the parser's own message shows some of the text
  }
}

function objectIn(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProviderAnswerError('expected an object');
  return value as Json;
}
