import { Agent, get } from 'node:http';

/** Clients that ask one thing after the other over connections that they keep, until they are refused. */
export class Callers {
  answers = 0;
  /** Requests that ended otherwise than by an answer or a refused connection. */
  broken: string[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  /** @returns when the last one has been refused */
  async call(address: string, callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.callUntilRefused(`${address}/.well-known/jwks.json`)));
    this.agent.destroy();
  }

  private async callUntilRefused(url: string): Promise<void> {
    for (;;) {
      const problem = await this.ask(url);
      if (problem === 'ECONNREFUSED') return;
      if (problem) this.broken.push(problem);
      else this.answers++;
    }
  }

  /** @returns what went wrong */
  private ask(url: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      get(url, { agent: this.agent }, (answer) =>
        answer
          .resume()
          .on('end', () => resolve(undefined))
          .on('error', ({ message }) => resolve(message)),
      ).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }
}
