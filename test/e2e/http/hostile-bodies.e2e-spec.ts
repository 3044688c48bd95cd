import { once } from 'node:events';
import { bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { openConnection } from '../../support/raw-connection';
import { checkoutCompleted } from '../../support/stripe-events';

const MOST_REFUSED = 60;
const SIGNATURE = { 'Stripe-Signature': `t=1,v1=${'a'.repeat(64)}` };
const LEAK_REPORT = {
  'Github-Public-Key-Identifier': 'a'.repeat(64),
  'Github-Public-Key-Signature': `${'A'.repeat(94)}==`,
};
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Node keeps an object for each chunk: a body of one-byte chunks costs 400 times its size. */
describe('a body in chunks of one byte', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  /** Sends a request whose body never ends. @returns what is received until the connection ends */
  async function send(method: string, path: string, headers: object, chunks: number): Promise<string> {
    const socket = await openConnection(t);
    let received = '';
    socket.on('data', (text: string) => (received += text)).on('error', () => undefined);
    const lines = Object.entries({ Host: 'x', 'Transfer-Encoding': 'chunked', ...headers });
    socket.write(`${method} /api/v1${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
    socket.write('1\r\n1\r\n'.repeat(chunks));
    await eventually(() => socket.closed, 'the end of the connection');
    return received;
  }

  it.each<[string, string, object]>([
    ['POST', '/auth/login', JSON_TYPE],
    ['POST', '/webhooks/stripe', SIGNATURE],
    ['POST', '/leaks/github', LEAK_REPORT],
  ])('to %s %s is refused, and the connection closed', async (method, path, headers) => {
    expect(await send(method, path, headers, 5000)).toMatch(/^HTTP\/1.1 400 [^]*VALIDATION_ERROR[^]*small chunks/);
    await t.api.get('/auth/me').set(owner.bearer).expect(200);
  });

  it('of an upload, or with a token, is refused, and the connection closed', async () => {
    for (const [method, path, headers] of [
      ['PUT', '/users/me/picture', { 'Content-Type': 'image/png' }],
      ['POST', '/tenants/current/projects', JSON_TYPE],
      ['POST', '/nothing/here', JSON_TYPE],
    ] as const)
      expect(await send(method, path, { ...headers, ...owner.bearer }, 12_000)).toMatch(
        /^HTTP\/1.1 400 [^]*small chunks/,
      );
  });

  it('that nobody reads closes the connection, too', async () => {
    for (const [method, path, headers, status] of [
      ['POST', '/tenants', JSON_TYPE, 401],
      ['POST', '/nothing/here', JSON_TYPE, 404],
      ['GET', '/health/live', {}, 200],
      ['PUT', '/users/me/picture', { 'Content-Type': 'image/png' }, 401],
      ['POST', '/webhooks/stripe', {}, 400],
    ] as const)
      expect(await send(method, path, headers, 50_000)).toMatch(new RegExp(`^(HTTP/1.1 ${status}|$)`));
    await t.api.get('/auth/me').set(owner.bearer).expect(200);
  });

  it('is accepted if there are few', async () => {
    const socket = await openConnection(t);
    const body = JSON.stringify({ name: 'In small chunks' });
    socket.write(`POST /api/v1/tenants/current/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`);
    socket.write(`Authorization: ${owner.bearer.Authorization}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write([...body].map((one) => `1\r\n${one}\r\n`).join('') + '0\r\n\r\n');
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*In small chunks/);
    socket.destroy();
  });
});

describe('a body without a valid token', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  it('is read only for public routes', async () => {
    const send = (path: string, headers: object) =>
      t.api
        .post(path)
        .set({ ...JSON_TYPE, ...headers })
        .send('{"name":');
    for (const headers of [{}, bearer('x.y.z')])
      expect(codeOf(await send('/tenants', headers).expect(401))).toBe('UNAUTHENTICATED');
    expect(codeOf(await send('/auth/login', {}).expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await send('/auth/login', bearer('x.y.z')).expect(400))).toBe('VALIDATION_ERROR');
  });
});

describe('signed bodies', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: { TRUST_PROXY: '1' } });
  });
  afterAll(() => t.close());

  const send = (address: string, path: string, headers: object) =>
    t.api
      .post(path)
      .set({ 'X-Forwarded-For': address, ...headers })
      .send({ id: 'evt_1' });

  it('of an address are not read after 60 were refused in a minute; those of others are', async () => {
    for (let i = 0; i < MOST_REFUSED; i++) await send('192.0.2.1', '/webhooks/stripe', SIGNATURE).expect(400);
    for (const [path, headers] of [
      ['/webhooks/stripe', SIGNATURE],
      ['/webhooks/processor', SIGNATURE],
      ['/leaks/github', LEAK_REPORT],
    ] as const) {
      const refused = await send('192.0.2.1', path, headers).expect(429);
      expect([codeOf(refused), Number(refused.headers['retry-after'])]).toEqual(['RATE_LIMITED', expect.any(Number)]);
    }
    expect(codeOf(await send('192.0.2.2', '/webhooks/stripe', SIGNATURE).expect(400))).toBe('INVALID_SIGNATURE');
  });

  it('that are accepted are not limited', async () => {
    const billing = new Billing(t);
    const { subscriber } = await billing.subscribed();
    for (let i = 0; i <= MOST_REFUSED; i++) await billing.take(checkoutCompleted(subscriber));
  });
});
