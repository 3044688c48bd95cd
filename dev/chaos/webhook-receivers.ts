import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SeededRandom } from '../stripe/seeded-random';
import { accept, ELSEWHERE, HABITS } from './receiver-habits';

/** A request that a receiver has processed. */
export interface ReceivedMessage {
  /** The path of the receiver. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers of webhooks, each at a path of one local server. */
export class WebhookReceivers {
  readonly messages: ReceivedMessage[] = [];
  /** Requests that followed a redirect. */
  redirected = 0;
  private isHealed = false;
  private readonly server: Server;

  /** @param isFaulty whether the receiver at a path has bad habits, until all are healed */
  constructor(
    private readonly random: SeededRandom,
    private readonly isFaulty: (path: string) => boolean,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.receive(request, response, Buffer.concat(chunks).toString()));
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** From now on all receivers answer correctly. Requests that hang end. */
  heal(): void {
    this.isHealed = true;
    this.server.closeAllConnections();
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private receive({ url = '', headers }: IncomingMessage, response: ServerResponse, body: string): void {
    if (url === ELSEWHERE) this.redirected++;
    const isFaulty = !this.isHealed && this.isFaulty(url);
    const habit = isFaulty ? HABITS[Math.floor(this.random.next() * HABITS.length)] : { answer: accept };
    if (!habit.isLost) this.messages.push({ path: url, headers: headers as Record<string, string>, body });
    void habit.answer(response);
  }
}
