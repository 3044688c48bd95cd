import { sendRequest } from './http-request';

/**
 * Timeout of a request, and the limit for a 503. While statements are slow, it may take as long as
 * the timeout: each statement has its own limit.
 */
const TIMEOUT_MS = 10_000;
const SLOW_503_MS = 5000;

/** What is expected of responses during a fault. */
interface Expected {
  /** The address of an instance that is killed, whose connections may break. */
  readonly killed?: string;
  /**
   * Whether an instance is stopped: a connection that is opened while it closes its port is reset,
   * and its request had no effect.
   */
  readonly stops?: boolean;
  /** Whether statements are slow. */
  readonly isSlow?: boolean;
}

export interface CountedRequest {
  readonly address: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** A text is sent as it is, an object as JSON. Without a body the request is a GET. */
  readonly body?: object | string;
}

/** The response to a counted request. */
export interface CountedResponse {
  /** 0 without a response. */
  readonly status: number;
  /** The request was sent, but its outcome is unknown. */
  readonly isLost?: boolean;
  readonly data?: unknown;
}

/**
 * Sends requests and counts the unexpected responses. A refused connection does not count, because
 * the request had no effect.
 */
export class RequestCounter {
  /** Number of 503 responses within the limit. */
  unavailable = 0;
  /** Other unexpected results: another status, a late 503, no response. */
  readonly broken: string[] = [];

  constructor(private readonly expected: Expected) {}

  /** @param expected the status that is wanted */
  async ask({ address, path, headers, body }: CountedRequest, expected: number): Promise<CountedResponse> {
    const start = performance.now();
    try {
      const sent = typeof body === 'object' ? JSON.stringify(body) : body;
      const asked = {
        url: `${address}/api/v1${path}`,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: sent,
      };
      const { status, text } = await sendRequest(asked, TIMEOUT_MS);
      const ms = performance.now() - start;
      if (status === expected) return { status, data: (JSON.parse(text) as { data?: unknown }).data };
      if (status !== 503) this.broken.push(`${path}: ${status} ${text.slice(0, 160)}`);
      else if (ms > SLOW_503_MS && !this.expected.isSlow)
        this.broken.push(`${path}: 503 after ${(ms / 1000).toFixed(1)} s`);
      else this.unavailable++;
      return { status };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code ?? message;
      const isLost = why !== 'ECONNREFUSED' && !(this.expected.stops && why === 'ECONNRESET');
      if (isLost && address !== this.expected.killed) this.broken.push(`${path}: ${why}`);
      return { status: 0, isLost };
    }
  }
}
