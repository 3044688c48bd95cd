import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine, which answers as the test says. */
export class WebhookReceiver {
  /** The status of the next answers. */
  status = 200;
  readonly received: ReceivedRequest[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (data) => (body += String(data)));
      request.on('end', () => {
        const { type, data } = JSON.parse(body) as { type: string; data?: { challenge?: string } };
        if (type === 'webhook.verification') {
          response.end(data?.challenge);
          return;
        }
        this.received.push({ headers: request.headers, body });
        response.writeHead(this.status, { 'Content-Type': 'text/plain' }).end(`answer ${this.status}`);
      });
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** Whether a request is signed with a secret, `whsec_…`. */
  isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    return String(headers['webhook-signature']).split(' ').includes(signature);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
