import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ID = 'f'.repeat(64);

/** Signs reports of leaked keys as GitHub does, and publishes its public key for a service. */
export class LeakReportSigner {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly server: Server = createServer((_request, response) => {
    const key = this.keys.publicKey.export({ type: 'spki', format: 'pem' });
    const body = JSON.stringify({ public_keys: [{ key_identifier: ID, key, is_current: true }] });
    response.setHeader('Content-Type', 'application/json').end(body);
  });

  /** @returns the settings with which the service uses it */
  async start(): Promise<Readonly<Record<string, string>>> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return { GITHUB_LEAK_KEYS_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/` };
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The headers of a report with this body. */
  headersFor(body: Buffer): Readonly<Record<string, string>> {
    const signature = sign('sha256', body, this.keys.privateKey).toString('base64');
    return { 'github-public-key-identifier': ID, 'github-public-key-signature': signature };
  }
}

/** The one of a run. */
export const leakReportSigner = new LeakReportSigner();
