import { sendRequest } from './http-request';

/** Nobody waits longer for an answer; longer than this for a 503 is too long. */
const PATIENCE_MS = 10_000;
const SLOW_503_MS = 5000;

export interface Asked {
  readonly address: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is; anything else as JSON. None: a GET. */
  readonly body?: object | string;
}

/** What was answered. */
export interface Answered {
  /** 0: nothing. */
  readonly status: number;
  /** The request was sent, and nobody knows what has become of it. */
  readonly isLost?: boolean;
  readonly data?: unknown;
}

/**
 * Asks, and counts what was answered otherwise than it should be. A refused connection is nobody
 * there, which is no harm: nothing has begun.
 */
export class RequestCounter {
  /** 503 within its time: it cannot be done now. */
  unavailable = 0;
  /** Everything else that was not asked for: other statuses, a 503 that comes late, no answer. */
  readonly broken: string[] = [];

  /**
   * @param killed the address of an instance that is killed, whose connections may break
   * @param stops an instance is stopped: who connects at the moment in which it closes its port is
   * reset, and was never heard
   */
  constructor(
    private readonly killed?: string,
    private readonly stops = false,
  ) {}

  /** @param expected the status of the answer that was asked for */
  async ask({ address, path, headers, body }: Asked, expected: number): Promise<Answered> {
    const start = performance.now();
    try {
      const sent = typeof body === 'object' ? JSON.stringify(body) : body;
      const asked = {
        url: `${address}/api/v1${path}`,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: sent,
      };
      const { status, text } = await sendRequest(asked, PATIENCE_MS);
      const ms = performance.now() - start;
      if (status === expected) return { status, data: (JSON.parse(text) as { data?: unknown }).data };
      if (status !== 503) this.broken.push(`${path}: ${status} ${text.slice(0, 160)}`);
      else if (ms > SLOW_503_MS) this.broken.push(`${path}: 503 after ${(ms / 1000).toFixed(1)} s`);
      else this.unavailable++;
      return { status };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code ?? message;
      const isLost = why !== 'ECONNREFUSED' && !(this.stops && why === 'ECONNRESET');
      if (isLost && address !== this.killed) this.broken.push(`${path}: ${why}`);
      return { status: 0, isLost };
    }
  }
}
