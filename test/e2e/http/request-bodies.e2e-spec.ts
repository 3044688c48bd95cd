import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 1]));

describe('a body', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const good = { email: 'nobody@example.com' };
  const ask = (payload: string | object, path = '/auth/password/forgot') =>
    t.api
      .post(path)
      .set('Content-Type', 'application/json')
      .send(typeof payload === 'string' ? payload : JSON.stringify(payload));

  it.each<[string, string | object, string]>([
    ['201 properties', { ...good, ...many(200) }, 'body'],
    ['11,000 properties', { ...good, ...many(1100) }, 'body'],
    ['201 items in an unknown property', { ...good, list: Array(199).fill(0) }, 'body'],
    ['nine levels', { ...good, a: [[[[[[[[]]]]]]]] }, 'body'],
    ['thousands of levels', `{"email":${'['.repeat(7000)}${']'.repeat(7000)}}`, 'body'],
    ['thousands of unclosed levels', `{"x":${'['.repeat(15_000)}`, 'body'],
    ['an unpaired surrogate', '{"email":"\\ud800@example.com"}', 'email'],
    ['one in an unknown property', '{"email":"nobody@example.com","other":["\\uDFFF"]}', 'other.0'],
    ['one in a property name', '{"email":"nobody@example.com","\\ud800":1}', 'body'],
  ])('with %s is refused', async (_what, payload, place) => {
    const { body } = await ask(payload).expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [place]: [expect.any(String)] } });
  });

  it('beyond the limits is refused after a delay', async () => {
    const start = performance.now();
    for (const payload of [many(300), '{"x":', 'x'.repeat(17_000), '['.repeat(500)]) await ask(payload);
    expect(performance.now() - start).toBeGreaterThan(4 * 19);
  });

  it('within the limits is accepted', async () => {
    await ask({ ...good, ...many(199) }).expect(200);
    await ask({ ...good, a: [[[[[[[]]]]]]], text: '🐴 \\ud800 [{,'.repeat(100), ['__proto__']: { email: 1 } }).expect(
      200,
    );
    await ask(gzipSync(JSON.stringify(good)).toString('latin1')).expect(400); // without Content-Encoding
  });

  it('is checked after decompression', async () => {
    const status = await new Promise((resolve) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      request(`${t.address}/api/v1/auth/password/forgot`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      ).end(gzipSync(JSON.stringify({ ...good, ...many(500) })));
    });
    expect(status).toBe(400);
  });

  it('in an encoding other than UTF-8 is refused', async () => {
    const type = 'application/json; charset=utf-16le';
    await t.api.post('/auth/password/forgot').set('Content-Type', type).send(JSON.stringify(good)).expect(415);
  });

  it.each([
    ['/auth/login', 16],
    ['/users/me', 16],
    ['/invitations/accept', 16],
    ['/tenants/current/invitations', 100],
    ['/nowhere', 100],
  ])('to %s has at most %i kB', async (path, kilobytes) => {
    const sized = (size: number) =>
      t.api
        .post(path)
        .set(owner.bearer)
        .send({ text: 'x'.repeat(size - 11) });
    expect((await sized(kilobytes * 1024)).status).not.toBe(413);
    const { body } = await sized(kilobytes * 1024 + 1).expect(413);
    expect(body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('of a webhook is not read if the signature header is malformed', async () => {
    const send = (header: string) =>
      t.api
        .post('/webhooks/stripe')
        .set('Content-Type', 'application/json')
        .set('Stripe-Signature', header)
        .send(`"${'x'.repeat(1_100_000)}"`);
    for (const header of ['', 't=1', 'v1=abc', `t=1,v0=${'a'.repeat(64)}`, 'x'.repeat(2000)]) {
      expect((await send(header).expect(400)).body.error.code).toBe('INVALID_SIGNATURE');
    }
    expect((await send(`t=1,v1=${'a'.repeat(64)}`).expect(413)).body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('gets all errors in one response, with items of lists by index', async () => {
    const { body } = await t.api
      .post('/tenants/current/roles')
      .set(owner.bearer)
      .send({ name: '', permissions: ['tenant.projects.read', 'nonsense', 7] })
      .expect(400);
    expect(Object.keys(body.error.details as object).sort()).toEqual(['name', 'permissions.1', 'permissions.2']);
  });
});

describe('a query', () => {
  let t: TestApp;
  let admin: { bearer: { Authorization: string } };
  beforeAll(async () => {
    t = await TestApp.start();
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const ask = (query: string) => t.api.get(`/admin/users?${query}`).set(admin.bearer);

  it.each([
    ['201 parameters', Array.from({ length: 201 }, (_, i) => `p${i}=1`).join('&'), 'query'],
    ['a parameter given 201 times', Array(201).fill('a=1').join('&'), 'query'],
    ['an unpaired surrogate', 'search=%ED%A0%80', 'search'],
    ['bytes that are not UTF-8', 'search=%FF', 'search'],
  ])('with %s is refused', async (_what, query, place) => {
    const { body } = await ask(query).expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [place]: [expect.any(String)] } });
  });

  it('within the limits is accepted', async () => {
    await ask(Array.from({ length: 200 }, (_, i) => `p${i}=1`).join('&')).expect(200);
    await ask('search=%F0%9F%90%B4').expect(200);
  });

  it('and a path return 400 if malformed', async () => {
    for (const id of ['%ED%A0%80', '%FF', '%']) {
      expect((await t.api.get(`/admin/users/${id}`).set(admin.bearer).expect(400)).body.error.code).toBe(
        'VALIDATION_ERROR',
      );
    }
  });
});
