import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../../../test/support/receiver-certificate';
import { testSettings } from '../../../test/support/settings';
import { AddressPolicy } from './address-policy';
import { HostResolver } from './host-resolver';
import { OutboundClient } from './outbound-client';

class FixedResolver extends HostResolver {
  constructor(private readonly addresses: readonly string[]) {
    super();
  }
  override resolve(): Promise<readonly string[]> {
    return Promise.resolve(this.addresses);
  }
}

class ImpatientClient extends OutboundClient {
  protected override readonly totalMs = 300;
}

describe('the client for addresses of tenants with WEBHOOK_PROXY_URL', () => {
  const open: (() => void)[] = [];
  /** What the proxy was asked for: the target and the credentials. */
  const asked: (readonly [target: string | undefined, credentials: string | undefined])[] = [];
  afterEach(() => {
    open.splice(0).forEach((close) => close());
    asked.splice(0);
  });

  async function listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    open.push(() => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** A proxy that answers with a status, or never; only with 200 it connects. */
  async function proxy(status?: number, credentials = ''): Promise<string> {
    const server = createServer();
    server.on('connect', ({ url, headers }, client: Socket) => {
      asked.push([url, headers['proxy-authorization']]);
      client.on('error', () => undefined);
      if (status === undefined) return;
      if (status !== 200) {
        client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
        return;
      }
      const target = connect(Number(url!.split(':').at(-1)), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      target.on('error', () => client.destroy());
    });
    return `http://${credentials}127.0.0.1:${await listening(server)}`;
  }

  function client(proxyUrl: string, addresses: readonly string[], Client = OutboundClient) {
    const settings = testSettings({ WEBHOOK_PROXY_URL: proxyUrl, WEBHOOK_ALLOW_SUBNETS: '127.0.0.1/32' });
    const made = new Client(new AddressPolicy(settings), new FixedResolver(addresses), settings);
    open.push(() => made.onApplicationShutdown());
    const agents = Reflect.get(made, 'agents') as Record<string, { options: { ca?: string } }>;
    agents['https:'].options.ca = RECEIVER_CERTIFICATE; // as if a known authority had signed it
    return made;
  }

  const receiver = (answer: RequestListener) =>
    listening(createTlsServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, answer));
  const outcome = async (made: OutboundClient, url: string) => {
    const answer = await made.post({ url, headers: {}, body: '{}' });
    return answer.ok ? answer.value.status : answer.failure.code;
  };

  it('sends through one tunnel to the checked address, and checks the certificate of the host', async () => {
    const port = await receiver((request, response) => response.end(request.headers.host));
    const made = client(await proxy(200, 'me:p%40ss@'), ['127.0.0.1']);
    expect(await outcome(made, `https://receiver.test:${port}/`)).toBe(200);
    expect(await outcome(made, `https://receiver.test:${port}/`)).toBe(200);
    expect(asked).toEqual([[`127.0.0.1:${port}`, `Basic ${Buffer.from('me:p@ss').toString('base64')}`]]);
    expect(await outcome(made, `https://other.test:${port}/`)).toBe('TLS_REFUSED');
  });

  it('asks the proxy for no forbidden address, given as such or by a name', async () => {
    const made = client(await proxy(200), ['10.0.0.1']);
    expect(await outcome(made, 'https://receiver.test/')).toBe('ADDRESS_NOT_ALLOWED');
    expect(await outcome(made, 'https://10.0.0.1/')).toBe('URL_NOT_ALLOWED');
    expect(await outcome(client(await proxy(200), []), 'https://receiver.test/')).toBe('HOST_NOT_FOUND');
    expect(asked).toEqual([]);
  });

  it('asks for each address of a host until the proxy accepts one', async () => {
    const made = client(await proxy(403), ['2606:4700::1111', '8.8.8.8']);
    expect(await outcome(made, 'https://receiver.test/')).toBe('NOT_CONNECTED');
    expect(asked.map(([target]) => target)).toEqual(['8.8.8.8:443', '[2606:4700::1111]:443']);
  });

  it('gives up within the total time, however many addresses a host has, and tries several within it', async () => {
    const many = Array.from({ length: 10 }, (_, i) => `8.8.8.${i + 1}`);
    const start = performance.now();
    expect(await outcome(client(await proxy(), many, ImpatientClient), 'https://receiver.test/')).toBe('TIMED_OUT');
    expect(performance.now() - start).toBeLessThan(1000);
    expect(asked.map(([target]) => target)).toEqual(many.slice(0, 2).map((address) => `${address}:443`));
  });

  it('gives up a proxy that does not answer, or is not there', async () => {
    expect(await outcome(client(await proxy(), ['8.8.8.8'], ImpatientClient), 'https://receiver.test/')).toBe(
      'TIMED_OUT',
    );
    const gone = await proxy(200);
    open.splice(0).forEach((close) => close());
    expect(await outcome(client(gone, ['8.8.8.8']), 'https://receiver.test/')).toBe('NOT_CONNECTED');
  });
});
