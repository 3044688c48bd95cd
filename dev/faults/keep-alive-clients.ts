import { Agent, get } from 'node:http';

export interface Call {
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Statuses that count as a response. */
  readonly expected: readonly number[];
}

/**
 * Clients that send one request after the other over keep-alive connections, until a connection is
 * refused or they are stopped.
 */
export class KeepAliveClients {
  responses = 0;
  isStopped = false;
  /**
   * Errors of requests that ended neither with an expected status nor with a refused connection.
   */
  readonly broken: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly target: Call) {}

  /** Resolves when all clients have been refused or stopped. */
  async call(address: string, callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.callOn(address)));
  }

  private async callOn(address: string): Promise<void> {
    while (!this.isStopped) {
      const problem = await this.ask(`${address}${this.target.path}`);
      if (problem === 'ECONNREFUSED') return;
      if (problem) this.broken.push(problem);
      else this.responses++;
    }
  }

  /** @returns the error, if there was one */
  private ask(url: string): Promise<string | undefined> {
    const { headers, expected } = this.target;
    return new Promise((resolve) => {
      get(url, { agent: this.agent, headers }, (response) =>
        response
          .resume()
          .on('end', () =>
            resolve(expected.includes(response.statusCode!) ? undefined : `answered ${response.statusCode}`),
          )
          .on('error', ({ message }) => resolve(message)),
      ).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }
}
