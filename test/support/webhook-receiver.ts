import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers a request, or leaves it open. */
type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(`status ${status}`);

/** The challenge in a message; undefined in any other. */
function challengeOf(body: string): string | undefined {
  const { type, data } = JSON.parse(body) as { type: string; data?: { challenge: string } };
  return type === 'webhook.verification' ? data?.challenge : undefined;
}

/** A receiver of webhooks on this machine, which keeps what it gets. */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** The most requests that were open at the same time. */
  mostOpen = 0;
  /** Whether it answers challenges, which are then no requests, instead of what it answers else. */
  answersChallenges = true;
  private open = 0;
  private readonly server: Server;

  constructor(public answer: Answer = answering(200)) {
    this.server = createServer((request, response) => {
      this.mostOpen = Math.max(this.mostOpen, ++this.open);
      response.on('close', () => this.open--);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = { headers: request.headers, body: Buffer.concat(chunks).toString() };
        const challenge = challengeOf(received.body);
        if (challenge !== undefined && this.answersChallenges) {
          response.end(challenge);
          return;
        }
        this.requests.push(received);
        this.answer(response, received);
      });
    });
  }

  static async start(answer?: Answer): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(answer);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** The messages, parsed. */
  get events(): { type: string; tenantId: string; data: Record<string, unknown> }[] {
    return this.requests.map(({ body }) => JSON.parse(body) as (typeof this.events)[number]);
  }

  get ids(): (string | undefined)[] {
    return this.requests.map(({ headers }) => headers['webhook-id'] as string | undefined);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
