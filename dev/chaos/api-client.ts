import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 10;
const PAUSE_MS = 1000;

/** A request that the service refused or did not answer. */
export class FailedRequest extends Error {
  /** @param code its error code; undefined: there was no answer, so it may have had an effect */
  constructor(readonly code: string | undefined) {
    super(code ?? 'no answer');
  }
}

/** Sends requests to the instances of the service, like a load balancer. */
export class ApiClient {
  constructor(
    private readonly addresses: readonly string[],
    private readonly random: () => number,
  ) {}

  /**
   * @returns `data` of the answer
   * @throws FailedRequest
   */
  async request(token: string, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, body: body && JSON.stringify(body) };
    const { success, data, error } = await this.send(path, init);
    if (!success) throw new FailedRequest(error!.code);
    return data;
  }

  /** A request that may have its effect twice. It is sent again after a 503 or no answer. */
  async repeated(token: string, method: string, path: string, body?: object): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(token, method, path, body);
      } catch (error) {
        const mayRepeat = error instanceof FailedRequest && ['UNAVAILABLE', undefined].includes(error.code);
        if (!mayRepeat || attempt === ATTEMPTS) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  /**
   * Begins with one at random. One that is down gets no request; one that is killed answers none.
   */
  private async send(path: string, init: RequestInit): Promise<Envelope> {
    const first = Math.floor(this.random() * this.addresses.length);
    for (const address of [...this.addresses.slice(first), ...this.addresses.slice(0, first)]) {
      try {
        return (await (await fetch(`${address}/api/v1${path}`, init)).json()) as Envelope;
      } catch (error) {
        if (!isRefused(error)) break;
      }
    }
    throw new FailedRequest(undefined);
  }
}

const isRefused = (error: unknown) =>
  ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

interface Envelope {
  readonly success: boolean;
  readonly data: unknown;
  readonly error?: { readonly code: string };
}
