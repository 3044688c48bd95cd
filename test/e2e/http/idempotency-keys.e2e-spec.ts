import { randomBytes } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { MINUTE } from '../../../src/platform/clock';
import { DomainEvents } from '../../../src/platform/domain-events';
import { PurgeIdempotencyKeys } from '../../../src/platform/idempotency/purge-idempotency-keys';
import { PASSWORD, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

const newKey = () => randomBytes(16).toString('hex');
const PROJECTS = '/tenants/current/projects';

describe('a write with an Idempotency-Key', () => {
  let t: TestApp;
  let other: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    other = await TestApp.start({ beside: t, env: { WORKER: 'off' } });
    owner = await t.actors.owner({ plan: 'Business' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const create = (key: string, name: string, { by = owner, app = t }: { by?: Bearer; app?: TestApp } = {}) =>
    app.api.post(PROJECTS).set(by.bearer).set('Idempotency-Key', key).send({ name });
  const projects = async (name: string) => {
    const { body } = await t.api.get(PROJECTS).set(owner.bearer).query({ limit: 100 }).expect(200);
    return (body.data.items as { name: string }[]).filter((project) => project.name === name).length;
  };
  const keysOf = () => t.database.query<{ status: number | null }>('SELECT status FROM idempotency_keys');
  /** Lets the next command of an instance wait within its transaction, until it is let go. */
  const holdNext = (app: TestApp) => {
    let letGo!: () => void;
    let isHeld = false;
    const events = app.nest.get(DomainEvents);
    const publish = events.publish.bind(events);
    jest.spyOn(events, 'publish').mockImplementationOnce(async (...given) => {
      isHeld = true;
      await new Promise<void>((resolve) => (letGo = resolve));
      return publish(...given);
    });
    return { until: () => eventually(() => Promise.resolve(isHeld || undefined), 'it'), letGo: () => letGo() };
  };
  const failNext = () =>
    jest.spyOn(t.nest.get(DomainEvents), 'publish').mockRejectedValueOnce(new Error('a fault of the test'));

  it('is executed once, and its answer repeated, on every instance', async () => {
    const key = newKey();
    const first = await create(key, 'Once').expect(200);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    for (const app of [t, other]) {
      const again = await create(key, 'Once', { app }).expect(200);
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    expect(await projects('Once')).toBe(1);
  });

  it('without the header is executed each time', async () => {
    for (let i = 0; i < 2; i++) await t.api.post(PROJECTS).set(owner.bearer).send({ name: 'Twice' }).expect(200);
    expect(await projects('Twice')).toBe(2);
  });

  it('is executed once if it is sent to two instances at once; the other request is asked to wait', async () => {
    const key = newKey();
    const held = holdNext(t);
    const first = create(key, 'Raced').then();
    await held.until();
    const second = await create(key, 'Raced', { app: other }).expect(409);
    expect(second.body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(second.headers['retry-after']).toBe('1');
    held.letGo();
    expect((await first).status).toBe(200);
    expect((await create(key, 'Raced', { app: other }).expect(200)).text).toBe((await first).text);
    expect(await projects('Raced')).toBe(1);
  });

  it('is executed once of ten requests at the same time', async () => {
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(key, 'Burst', { app: index % 2 ? t : other }).then()),
    );
    for (const { status, body } of answers)
      expect([200, body.error?.code]).toContain(status === 200 ? 200 : 'IDEMPOTENCY_IN_PROGRESS');
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(await projects('Burst')).toBe(1);
  });

  it('is executed once beside others that are sent to both instances in other orders at the same time', async () => {
    const keys = Array.from({ length: 12 }, newKey);
    const send = (app: TestApp, order: string[]) => order.map((key) => create(key, `Joined ${key}`, { app }).then());
    const answers = await Promise.all([...send(t, keys), ...send(other, [...keys].reverse()), ...send(t, keys)]);
    for (const { status, body } of answers)
      expect([200, body.error?.code]).toContain(status === 200 ? 200 : 'IDEMPOTENCY_IN_PROGRESS');
    for (const key of keys) {
      await create(key, `Joined ${key}`).expect(200);
      expect(await projects(`Joined ${key}`)).toBe(1);
    }
  });

  it('is refused with another body, path, method or query', async () => {
    const key = newKey();
    const { body } = await create(key, 'First').expect(200);
    const one = `${PROJECTS}/${body.data.id}`;
    const keyed = { ...owner.bearer, 'Idempotency-Key': key };
    for (const refused of [
      create(key, 'Second'),
      t.api.patch(one).set(keyed).send({ name: 'First' }),
      t.api.delete(one).set(keyed),
      t.api.post(`${PROJECTS}?a=1`).set(keyed).send({ name: 'First' }),
    ])
      expect((await refused.expect(422)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    await create(key, 'First').expect(200);
    expect(await projects('Second')).toBe(0);
  });

  it('of another user, tenant or impersonation has nothing to do with it', async () => {
    const key = newKey();
    const first = await create(key, 'Mine').expect(200);
    const colleague = await t.actors.member(owner, ['tenant.projects.manage']);
    const stranger = await t.actors.owner();
    const impersonated = await t.actors.impersonating(await t.actors.admin(), owner);
    const { body } = await t.api.post('/tenants').set(owner.bearer).send({ name: 'Second' }).expect(200);
    const switched = await t.api
      .post('/auth/switch-tenant')
      .set(owner.bearer)
      .send({ tenantId: body.data.id })
      .expect(200);
    const elsewhere = { bearer: { Authorization: `Bearer ${switched.body.data.accessToken}` } };
    const ids = new Set([first.body.data.id]);
    for (const by of [colleague, stranger, impersonated, elsewhere]) {
      const answer = await create(key, 'Mine', { by }).expect(200);
      expect(answer.headers).not.toHaveProperty('idempotency-replayed');
      ids.add(answer.body.data.id);
    }
    expect(ids.size).toBe(5);
  });

  it('repeats a refusal, which is not decided again', async () => {
    const free = await t.actors.owner();
    for (const name of ['1', '2', '3']) await create(newKey(), name, { by: free }).expect(200);
    const key = newKey();
    const refused = await create(key, 'Fourth', { by: free }).expect(402);
    const { body } = await t.api.get(PROJECTS).set(free.bearer).expect(200);
    await t.api.delete(`${PROJECTS}/${body.data.items[0].id}`).set(free.bearer).expect(200);
    const again = await create(key, 'Fourth', { by: free, app: other }).expect(402);
    expect(again.text).toBe(refused.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await create(newKey(), 'Fourth', { by: free }).expect(200);
  });

  it('repeats a refusal of invalid input, and one of a missing row', async () => {
    const [invalid, missing] = [newKey(), newKey()];
    for (const replayed of [undefined, 'true']) {
      const { headers } = await create(invalid, '').expect(400);
      expect(headers['idempotency-replayed']).toBe(replayed);
      const nobody = '00000000-0000-7000-8000-000000000000';
      const unknown = await t.api
        .patch(`${PROJECTS}/${nobody}`)
        .set(owner.bearer)
        .set('Idempotency-Key', missing)
        .send({ name: 'A' })
        .expect(404);
      expect(unknown.headers['idempotency-replayed']).toBe(replayed);
    }
  });

  it('is executed again after a fault of the service, which leaves nothing behind', async () => {
    const key = newKey();
    failNext();
    await create(key, 'Faulty').expect(500);
    const again = await create(key, 'Faulty').expect(200);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
    expect(await projects('Faulty')).toBe(1);
  });

  it('is not stored if it is refused for a missing, wrong or outdated token, or without a proof', async () => {
    const before = (await keysOf()).length;
    const key = newKey();
    await t.api.post(PROJECTS).set('Idempotency-Key', key).send({ name: 'A' }).expect(401);
    await t.api.post(PROJECTS).set('Idempotency-Key', key).set('Authorization', 'Bearer x').expect(401);
    const member = await t.actors.member(owner, ['tenant.projects.read']);
    await create(key, 'A', { by: member }).expect(403);
    const wrong = { currentPassword: 'not the password', newPassword: 'another good password' };
    const changing = () => t.api.put('/auth/password').set(member.bearer).set('Idempotency-Key', key);
    await changing().send(wrong).expect(401);
    expect(await keysOf()).toHaveLength(before);
    await changing()
      .send({ ...wrong, currentPassword: PASSWORD })
      .expect(200);
    expect(await keysOf()).toHaveLength(before + 1);
  });

  it('is taken over a minute after its process died, and refused to that process if it was only slow', async () => {
    const key = newKey();
    const held = holdNext(t);
    const slow = create(key, 'Slow').then();
    await held.until();
    t.clock.advance(MINUTE - 1);
    await create(key, 'Slow', { app: other }).expect(409);
    t.clock.advance(2);
    const taken = await create(key, 'Slow', { app: other }).expect(200);
    expect(taken.headers).not.toHaveProperty('idempotency-replayed');
    held.letGo();
    expect((await slow).body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect((await create(key, 'Slow').expect(200)).text).toBe(taken.text);
    expect(await projects('Slow')).toBe(1);
  });

  it('is refused with a malformed key, which reads nothing', async () => {
    for (const key of ['short', 'x'.repeat(201), 'with a space in between', 'not-ascii-\u00fc-not-ascii']) {
      const { body } = await create(key, 'Malformed').expect(400);
      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { 'Idempotency-Key': [expect.any(String)] },
      });
    }
    expect(await projects('Malformed')).toBe(0);
  });

  it('of a registration is repeated with its status, for the same client address', async () => {
    const key = newKey();
    const register = (app: TestApp) =>
      app.api
        .post('/auth/register')
        .set('Idempotency-Key', key)
        .send({ email: 'twice@example.com', password: PASSWORD, name: 'Ada' });
    const first = await register(t).expect(201);
    const again = await register(other).expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const registrations = 'SELECT FROM registrations r JOIN users u ON u.id = r.user_id WHERE email = $1';
    expect(await t.database.query(registrations, ['twice@example.com'])).toHaveLength(1);
  });

  it('of a route without a transaction is repeated, too', async () => {
    const key = newKey();
    const forgot = () =>
      t.api.post('/auth/password/forgot').set('Idempotency-Key', key).send({ email: owner.user.email }).expect(200);
    expect((await forgot()).headers).not.toHaveProperty('idempotency-replayed');
    expect((await forgot()).headers['idempotency-replayed']).toBe('true');
  });

  it('is ignored where the answer has tokens or cookies: nothing of a sign-in is stored', async () => {
    const before = (await keysOf()).length;
    const credentials = { email: owner.user.email, password: PASSWORD };
    const logIn = () => t.api.post('/auth/login').set('Idempotency-Key', newKey()).send(credentials).expect(200);
    await logIn();
    const { refreshToken } = (await logIn()).body.data as { refreshToken: string };
    await t.api.post('/auth/refresh').set('Idempotency-Key', newKey()).send({ refreshToken }).expect(200);
    await t.api
      .post('/auth/switch-tenant')
      .set(owner.bearer)
      .set('Idempotency-Key', 'short')
      .send({ tenantId: owner.tenantId })
      .expect(200);
    await t.api
      .post('/auth/magic-link/request')
      .set('Idempotency-Key', newKey())
      .send({ email: owner.user.email })
      .expect(200);
    expect(await keysOf()).toHaveLength(before);
  });

  it('repeats a secret, which cannot be read in the database', async () => {
    const user = await t.actors.signedInUser();
    const [key, add] = [newKey(), '/auth/factors/totp'];
    const enrol = () => t.api.post(add).set(user.bearer).set('Idempotency-Key', key).send({}).expect(200);
    const first = await enrol();
    expect((await enrol()).text).toBe(first.text);
    const [{ dump }] = await t.database.query<{ dump: string }>(
      'SELECT string_agg(k::text, chr(10)) AS dump FROM idempotency_keys k',
    );
    for (const secret of [key, first.body.data.secret, user.user.id, user.user.email])
      expect(dump).not.toContain(secret);
  });

  it('is forgotten after 24 hours', async () => {
    const key = newKey();
    await create(key, 'Daily').expect(200);
    t.clock.advance(24 * 60 * MINUTE - 10);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await purge();
    expect((await create(key, 'Daily').expect(200)).headers['idempotency-replayed']).toBe('true');
    t.clock.advance(20);
    await purge();
    expect((await create(key, 'Daily').expect(200)).headers).not.toHaveProperty('idempotency-replayed');
    expect(await projects('Daily')).toBe(2);
  });
  const purge = () => t.nest.get(CommandBus).execute(new PurgeIdempotencyKeys());
});
