import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../../../test/support/receiver-certificate';
import { testSettings } from '../../../test/support/settings';
import { AddressPolicy } from './address-policy';
import { HostResolver } from './host-resolver';
import { OutboundClient } from './outbound-client';

/** Answers each query with the next list of addresses, and all later ones with the last. */
class HostileResolver extends HostResolver {
  readonly asked: string[] = [];
  constructor(private readonly answers: (readonly string[])[]) {
    super();
  }
  override resolve(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    return Promise.resolve(this.answers.length > 1 ? this.answers.shift()! : this.answers[0]);
  }
}

class ImpatientClient extends OutboundClient {
  protected override readonly totalMs = 300;
}

/** https to this machine is allowed, as if its addresses were public. */
const AS_PUBLIC = { WEBHOOK_ALLOW_SUBNETS: '127.0.0.1/32' };
const LOCAL = { WEBHOOK_ALLOW_LOOPBACK: 'true' };

describe('the client for addresses of tenants', () => {
  const open: { close: () => void }[] = [];
  afterEach(() => open.splice(0).forEach((one) => one.close()));

  function client(variables: NodeJS.ProcessEnv, resolver = new HostResolver(), Client = OutboundClient) {
    const settings = testSettings(variables);
    const made = new Client(new AddressPolicy(settings), resolver, settings);
    open.push({ close: () => made.onApplicationShutdown() });
    return made;
  }

  async function listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    const close = () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    };
    open.push({ close });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  const receiver = (answer: RequestListener) => listening(createServer(answer));
  const tlsReceiver = (answer: RequestListener) =>
    listening(createTlsServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, answer));
  const post = (made: OutboundClient, url: string, body = '{}') => made.post({ url, headers: { 'X-Test': '1' }, body });
  const codeOf = async (made: OutboundClient, url: string) => {
    const answer = await post(made, url);
    return answer.ok ? answer.value.status : answer.failure.code;
  };
  /** Makes the certificate of the tests count as signed by a known authority. */
  const trusting = (made: OutboundClient) => {
    const agents = Reflect.get(made, 'agents') as Record<string, { options: { ca?: string } }>;
    agents['https:'].options.ca = RECEIVER_CERTIFICATE;
    return made;
  };

  it('sends the body and headers, and returns status, headers and body of the answer', async () => {
    const seen: unknown[] = [];
    const port = await receiver((request, response) => {
      request.on('data', (chunk: Buffer) => {
        seen.push(request.method, request.url, request.headers['x-test'], chunk.toString());
        response.writeHead(503, { 'Retry-After': '7' }).end('later');
      });
    });
    const answer = await post(client(LOCAL), `http://localhost:${port}/hooks?a=1`, '{"é":1}');
    expect(seen).toEqual(['POST', '/hooks?a=1', '1', '{"é":1}']);
    expect(answer).toMatchObject({ ok: true, value: { status: 503, body: 'later', headers: { 'retry-after': '7' } } });
  });

  it('connects with https to the checked address under the name of the host', async () => {
    const resolver = new HostileResolver([['127.0.0.1']]);
    const port = await tlsReceiver((request, response) => response.end(request.headers.host));
    const answer = await post(trusting(client(AS_PUBLIC, resolver)), `https://receiver.test:${port}/`);
    expect(answer).toMatchObject({ ok: true, value: { status: 200, body: `receiver.test:${port}` } });
  });

  it('refuses a certificate that no known authority signed, and one of another host', async () => {
    const port = await tlsReceiver((_request, response) => response.end());
    const resolver = new HostileResolver([['127.0.0.1']]);
    expect(await codeOf(client(AS_PUBLIC, resolver), `https://receiver.test:${port}/`)).toBe('TLS_REFUSED');
    expect(await codeOf(trusting(client(AS_PUBLIC, resolver)), `https://other.test:${port}/`)).toBe('TLS_REFUSED');
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::1',
    '2001:0:7f00:1::1',
    'fd00:ec2::254',
    'not an address',
  ])('does not connect to a host that leads to %s', async (address) => {
    let connections = 0;
    const port = await tlsReceiver((_request, response) => response.end());
    const counting = createTcpServer(() => connections++);
    await listening(counting);
    expect(await codeOf(client({}, new HostileResolver([[address]])), `https://receiver.test:${port}/`)).toBe(
      'ADDRESS_NOT_ALLOWED',
    );
    expect(connections).toBe(0);
  });

  it('does not connect to a host of which one of several addresses is internal', async () => {
    const resolver = new HostileResolver([['93.184.215.14', '2606:4700::1111', '10.0.0.1']]);
    expect(await codeOf(client({}, resolver), 'https://receiver.test/')).toBe('ADDRESS_NOT_ALLOWED');
  });

  it('resolves a host once for a connection, so that a second answer of its name server is not used', async () => {
    const port = await tlsReceiver((_request, response) => response.setHeader('Connection', 'close').end());
    const resolver = new HostileResolver([['127.0.0.1'], ['169.254.169.254']]);
    const made = trusting(client(AS_PUBLIC, resolver));
    expect(await codeOf(made, `https://receiver.test:${port}/`)).toBe(200);
    expect(resolver.asked).toEqual(['receiver.test']);
    expect(await codeOf(made, `https://receiver.test:${port}/`)).toBe('ADDRESS_NOT_ALLOWED');
    expect(resolver.asked).toEqual(['receiver.test', 'receiver.test']);
  });

  it.each([
    'https://127.0.0.1:{port}/',
    'https://2130706433:{port}/',
    'https://0x7f.1:{port}/',
    'https://[::1]:{port}/',
  ])('refuses the address %s without a query', async (url) => {
    const port = await tlsReceiver((_request, response) => response.end());
    const resolver = new HostileResolver([['127.0.0.1']]);
    expect(await codeOf(client({}, resolver), url.replace('{port}', String(port)))).toBe('URL_NOT_ALLOWED');
    expect(resolver.asked).toEqual([]);
  });

  it('returns a redirect to a metadata service as an answer, and does not follow it', async () => {
    let requests = 0;
    const port = await receiver((_request, response) => {
      requests++;
      response.writeHead(307, { Location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    expect(await codeOf(client(LOCAL), `http://127.0.0.1:${port}/`)).toBe(307);
    expect(requests).toBe(1);
  });

  it('reads 4 kB of an endless body and closes the connection', async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const port = await receiver((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(50_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        closed();
      });
    });
    const answer = await post(client(LOCAL), `http://127.0.0.1:${port}/`);
    expect(answer.ok && answer.value.body.length).toBe(4 * 1024);
    await isClosed;
  });

  it('reads 64 chunks of a body in chunks of one byte and closes the connection', async () => {
    const closed: Promise<unknown>[] = [];
    const port = await listening(
      createTcpServer((socket) => {
        closed.push(new Promise((resolve) => socket.on('close', resolve)));
        socket.on('error', () => undefined);
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(50_000)}`);
      }),
    );
    const answer = await post(client(LOCAL), `http://127.0.0.1:${port}/`);
    expect(answer.ok && answer.value.body).toBe('a'.repeat(64));
    await Promise.all(closed);
  });

  it('closes the connection at the third interim response, and accepts two', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    const after = (count: number) =>
      listening(
        createTcpServer((socket) => {
          socket.on('error', () => undefined);
          socket.write(`${interim.repeat(count)}HTTP/1.1 204 No Content\r\n\r\n`);
        }),
      );
    expect(await codeOf(client(LOCAL), `http://127.0.0.1:${await after(2)}/`)).toBe(204);
    expect(await codeOf(client(LOCAL), `http://127.0.0.1:${await after(3)}/`)).toBe('BROKEN_ANSWER');
    expect(await codeOf(client(LOCAL), `http://127.0.0.1:${await after(100_000)}/`)).toBe('BROKEN_ANSWER');
  });

  it.each<[string, RequestListener]>([
    ['a host that never answers', () => undefined],
    ['a slow body', (_request, response) => setInterval(() => response.destroyed || response.write('x'), 20).unref()],
  ])('gives up %s in time', async (_what, answer) => {
    const port = await receiver(answer);
    expect(await codeOf(client(LOCAL, undefined, ImpatientClient), `http://127.0.0.1:${port}/`)).toBe('TIMED_OUT');
  });

  it('gives up a name server that never answers in time', async () => {
    const silent = new HostileResolver([]);
    silent.resolve = () => new Promise(() => undefined);
    expect(await codeOf(client({}, silent, ImpatientClient), 'https://receiver.test/')).toBe('TIMED_OUT');
  });

  it('says why there is no answer, without a word of what answered', async () => {
    const port = await listening(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9 secret\r\n')));
    const broken = await post(client(LOCAL), `http://127.0.0.1:${port}/`);
    expect(broken).toMatchObject({ ok: false, failure: { code: 'BROKEN_ANSWER' } });
    expect(JSON.stringify(broken)).not.toContain('secret');
    const unused = await receiver(() => undefined);
    open.splice(0).forEach((one) => one.close());
    expect(await codeOf(client(LOCAL), `http://127.0.0.1:${unused}/`)).toBe('NOT_CONNECTED');
    expect(await codeOf(client({}, new HostileResolver([[]])), 'https://receiver.test/')).toBe('HOST_NOT_FOUND');
  });

  it('uses no proxy of the environment', async () => {
    let requests = 0;
    const proxy = await receiver((_request, response) => {
      requests++;
      response.end();
    });
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy}`;
    try {
      const port = await receiver((_request, response) => response.writeHead(204).end());
      expect(await codeOf(client(LOCAL), `http://127.0.0.1:${port}/`)).toBe(204);
      expect(requests).toBe(0);
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
  });

  it('keeps a connection for the next request, and sends again if it was closed meanwhile', async () => {
    let connections = 0;
    let isClosing = false;
    const server = createServer((request, response) => {
      if (isClosing) request.socket.resetAndDestroy();
      else response.end();
      isClosing = false;
    });
    server.on('connection', () => connections++);
    const port = await listening(server);
    const made = client(LOCAL);
    expect(await codeOf(made, `http://127.0.0.1:${port}/`)).toBe(200);
    expect(await codeOf(made, `http://127.0.0.1:${port}/`)).toBe(200);
    expect(connections).toBe(1);
    isClosing = true;
    expect(await codeOf(made, `http://127.0.0.1:${port}/`)).toBe(200);
    expect(connections).toBe(2);
  });
});
