import { createServer, type Server } from 'node:http';
import Stripe from 'stripe';

/** A webhook endpoint that verifies signatures with Stripe's own library. */
export class WebhookReceiver {
  readonly events: Stripe.Event[] = [];
  refused = 0;
  /** Status codes for the next deliveries, instead of 200. */
  readonly answers: number[] = [];
  private server?: Server;

  constructor(private readonly secret: string) {}

  /** @returns the address of the endpoint */
  async start(): Promise<string> {
    const stripe = new Stripe('sk_test_any');
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const status = this.answers.shift() ?? 200;
        response.statusCode = status;
        try {
          const event = stripe.webhooks.constructEvent(
            Buffer.concat(chunks),
            request.headers['stripe-signature'] as string,
            this.secret,
          );
          if (status === 200) this.events.push(event);
        } catch {
          this.refused += 1;
          response.statusCode = 400;
        }
        response.end(JSON.stringify({ received: response.statusCode === 200 }));
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}/webhook`;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
