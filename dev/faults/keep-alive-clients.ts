import { Agent, get } from 'node:http';

export interface Call {
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Statuses that are an answer. */
  readonly expected: readonly number[];
}

/**
 * Clients that ask one thing after the other over connections that they keep, until they are
 * refused or leave.
 */
export class KeepAliveClients {
  answers = 0;
  left = false;
  /**
   * Requests that ended otherwise than by the answer that was asked for or a refused connection.
   */
  readonly broken: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly what: Call) {}

  /** @returns when the last one has been refused, or has left */
  async call(address: string, callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.callOn(address)));
  }

  private async callOn(address: string): Promise<void> {
    while (!this.left) {
      const problem = await this.ask(`${address}${this.what.path}`);
      if (problem === 'ECONNREFUSED') return;
      if (problem) this.broken.push(problem);
      else this.answers++;
    }
  }

  /** @returns what went wrong */
  private ask(url: string): Promise<string | undefined> {
    const { headers, expected } = this.what;
    return new Promise((resolve) => {
      get(url, { agent: this.agent, headers }, (answer) =>
        answer
          .resume()
          .on('end', () => resolve(expected.includes(answer.statusCode!) ? undefined : `answered ${answer.statusCode}`))
          .on('error', ({ message }) => resolve(message)),
      ).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }
}
