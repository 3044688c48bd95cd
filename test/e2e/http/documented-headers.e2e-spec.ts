import { randomUUID } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { AnswerHeaders } from '../../../dev/response-headers';
import type { ApiDocument, Operation } from '../../../dev/api-document-model';
import type { Bearer } from '../../support/actors';
import { TestApp } from '../../support/app';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Route {
  readonly method: (typeof METHODS)[number];
  /** As the document names it. */
  readonly path: string;
  readonly operation: Operation;
}

/** What the document says about headers, and what the service does (docs/contract.md, Headers). */
describe('The headers of the API document', () => {
  let t: TestApp;
  let document: ApiDocument;
  let headers: AnswerHeaders;
  let routes: Route[];
  const start = async (env: NodeJS.ProcessEnv) => {
    t = await TestApp.start({ env: { WORKER: 'off', TRUST_PROXY: 'true', ...env } });
    document = (await t.http.get('/openapi.json').expect(200)).body as ApiDocument;
    headers = new AnswerHeaders(document as unknown as OpenAPIObject);
    routes = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => (item[method] ? [{ method, path, operation: item[method] }] : [])),
    );
  };
  afterEach(() => t.close());

  const declares = ({ method, path }: Route, status: number, name: string) =>
    headers.declared(method, path, status)?.includes(name) ?? false;
  const reads = ({ operation }: Route, name: string) =>
    operation.parameters?.some(({ $ref }) => $ref === `#/components/parameters/${name}`) ?? false;
  /** Sends a request with ids of nothing, and without a body. */
  const send = ({ method, path }: Route, sent: Record<string, string>) =>
    t.http[method](path.replace(/\{\w+\}/g, () => randomUUID()))
      .set(sent)
      .redirects(0)
      .ok(() => true);
  const nameOf = ({ method, path }: Route) => `${method} ${path}`;

  it('X-Request-Id is read from every request, and sent in every response', async () => {
    await start({});
    for (const [index, route] of routes.entries()) {
      const id = `probe-${index}`;
      const { status, headers: sent } = await send(route, { 'X-Request-Id': id });
      const isShared = sent['cache-control'].startsWith('public'); // the answer to someone else, with its id
      expect([nameOf(route), isShared ? id : sent['x-request-id']]).toEqual([nameOf(route), id]);
      expect([nameOf(route), status, declares(route, status, 'X-Request-Id')]).toEqual([nameOf(route), status, true]);
    }
  });

  it('Retry-After is declared by every operation, and sent by each that the limit of requests applies to', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '1' });
    const exempt: string[] = [];
    for (const route of routes) {
      const { status, headers: sent } = await send(route, {});
      expect([nameOf(route), declares(route, 429, 'Retry-After')]).toEqual([nameOf(route), true]);
      if (status !== 429) exempt.push(route.path);
      else expect([nameOf(route), Number(sent['retry-after'])]).toEqual([nameOf(route), expect.any(Number)]);
    }
    expect(exempt.filter((path) => !/^\/api\/v1\/(health|webhooks)\//.test(path))).toEqual([]);
    expect(routes.length - exempt.length).toBeGreaterThan(150);
  });

  it('Idempotency-Replayed is sent with each repetition whose status declares it, and with no other', async () => {
    await start({});
    /** Writes after which their token is refused. */
    const ending: string[] = [];
    const isReplayed = async (route: Route, { bearer }: Bearer): Promise<[number, boolean]> => {
      const sent = { ...bearer, 'Idempotency-Key': randomUUID() };
      const path = route.path.replace(/\{\w+\}/g, randomUUID());
      const [first, second] = [await send({ ...route, path }, sent), await send({ ...route, path }, sent)];
      if (second.status === 401) ending.push(nameOf(route));
      else expect([nameOf(route), second.status]).toEqual([nameOf(route), first.status]);
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      return [second.status, second.headers['idempotency-replayed'] === 'true'];
    };
    const statuses = new Set<number>();
    for (const route of routes.filter((one) => reads(one, 'Idempotency-Key'))) {
      const actor = await t.actors.owner({ isAdmin: true, plan: 'Business' }); // a route may end the session
      const [status, wasReplayed] = await isReplayed(route, actor);
      expect([nameOf(route), status, wasReplayed]).toEqual([
        nameOf(route),
        status,
        declares(route, status, 'Idempotency-Replayed'),
      ]);
      if (wasReplayed) statuses.add(status);
    }
    expect(ending).toEqual(['delete /api/v1/tenants/current']);
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 404]));
    const member = await t.actors.signedInUser();
    const admin = routes.find(({ path, method }) => method === 'post' && path === '/api/v1/admin/users/{id}/disable')!;
    expect(await isReplayed(admin, member)).toEqual([403, false]);
    expect(declares(admin, 403, 'Idempotency-Replayed')).toBe(false);
  }, 60_000);

  it('X-Session is read, and Set-Cookie sent, by what returns a refresh token', async () => {
    await start({});
    const { email } = await t.actors.user();
    const logIn = (sent: Record<string, string>) =>
      t.api.post('/auth/login').set(sent).send({ email, password: 'correct horse battery' }).expect(200);
    const cookiesOf = (response: Response) =>
      ((response.headers['set-cookie'] ?? []) as unknown as string[]).map((cookie) => cookie.split('=')[0]);
    const plain = await logIn({});
    expect(plain.body.data.refreshToken).toEqual(expect.any(String));
    const inCookie = await logIn({ 'X-Session': 'web' });
    expect(inCookie.body.data).not.toHaveProperty('refreshToken');
    for (const response of [plain, inCookie]) expect(cookiesOf(response)).toContain('refresh_token');
    const [route] = routes.filter(({ path }) => path === '/api/v1/auth/login');
    expect([reads(route, 'X-Session'), declares(route, 200, 'Set-Cookie')]).toEqual([true, true]);
    expect([declares(route, 401, 'Set-Cookie'), declares(route, 200, 'Idempotency-Replayed')]).toEqual([false, false]);
  });
});
