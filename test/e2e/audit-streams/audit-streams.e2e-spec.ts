import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { StreamLoop } from '../../../src/audit-streams/services/stream-loop';
import { StreamOutcomes } from '../../../src/audit-streams/services/stream-outcomes';
import { ENTITY_CLASSES } from '../../../src/entities';
import { PlanCache } from '../../../src/billing/billing.api';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { migrate } from '../../../src/platform/database/migrate';
import { setTenantScopeSql } from '../../../src/platform/database/set-tenant-scope';
import { newIdAt } from '../../../src/platform/ids';
import { PASSWORD, type Member, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { databaseDump } from '../../support/database-dump';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { answering, WebhookReceiver } from '../../support/webhook-receiver';

const PATH = '/tenants/current/audit-streams';
const LOCAL = { WEBHOOK_ALLOW_LOOPBACK: 'true' };

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly targetId: string;
}
interface Batch {
  readonly type: string;
  readonly streamId: string;
  readonly entries: readonly Entry[];
  readonly previousCursor: string | null;
  readonly cursor: string;
}
interface Stream {
  readonly id: string;
  readonly secret: string;
}

describe('audit streams', () => {
  let t: TestApp;
  let owner: Member;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    t = await TestApp.start({ env: LOCAL });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    owner = await t.actors.owner({ plan: 'Business' });
    receiver = await WebhookReceiver.start();
  });
  afterEach(() => receiver.stop());

  const create = (body: object = {}, by = owner) =>
    t.api
      .post(PATH)
      .set(by.bearer)
      .send({ url: receiver.url, ...body });
  /** A stream begins with all that is newer than the oldest transaction, also of other tests. */
  const settled = () =>
    eventually(async () => {
      const newer = 'SELECT FROM audit_log WHERE tenant_id = $1 AND position >= audit_log_horizon()';
      return (await t.database.query(newer, [owner.tenantId])).length === 0 || undefined;
    }, 'the end of older transactions');
  const created = async (body?: object, by?: Member) => {
    await settled();
    return (await create(body, by).expect(200)).body.data as Stream;
  };
  const stateOf = async ({ id }: Stream) =>
    (await t.api.get(`${PATH}/${id}`).set(owner.bearer).expect(200)).body.data as Record<string, unknown>;
  /** Waits for a state: outcomes are stored after the receiver has its answer. */
  const becomes = (its: Stream, what: string, holds: (state: Record<string, unknown>) => unknown) =>
    eventually(async () => {
      await look();
      const found = await stateOf(its);
      return holds(found) ? found : undefined;
    }, what);
  const stored = (its: Stream) => becomes(its, 'a stored success', ({ lastSuccessAt }) => lastSuccessAt);
  const rename = (name: string) => t.api.patch('/tenants/current').set(owner.bearer).send({ name }).expect(200);
  const project = async () =>
    (await t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'Loom' }).expect(200)).body.data
      .id as string;
  const look = (app = t) => app.nest.get(StreamLoop, { strict: false }).look();
  const later = (seconds: number) => {
    t.clock.advance(seconds);
    return look();
  };
  const batches = () => receiver.requests.map(({ body }) => JSON.parse(body) as Batch);
  const accepted = () => batches().flatMap(({ entries }) => entries);
  const arrived = (actions: readonly string[]) =>
    eventually(async () => {
      await look();
      const found = accepted().map(({ action }) => action);
      return actions.every((action) => found.includes(action)) ? found : undefined;
    }, actions.join());
  const listedFor = async ({ bearer }: SignedInUser, query: object) =>
    (await t.api.get('/admin/audit-streams').query(query).set(bearer).expect(200)).body.data.items as object[];
  const listed = async () =>
    (await t.api.get('/tenants/current/audit-log?limit=100').set(owner.bearer).expect(200)).body.data.items as Entry[];

  it('send what happens from now on, as the list shows it, signed, with the header that was given', async () => {
    await rename('Before');
    const { id, secret } = await created({ authorization: 'Bearer opaque-value', description: 'Monitoring' });
    expect(await stateOf({ id, secret })).toMatchObject({ createdBy: owner.user.id });
    await rename('After');
    await arrived(['audit-stream.created', 'tenant.renamed']);
    expect(accepted().filter(({ action }) => action === 'tenant.renamed')).toHaveLength(1);
    const all = await listed();
    for (const entry of accepted()) expect(all).toContainEqual(entry);
    for (const { headers, body } of receiver.requests) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
      expect(headers.authorization).toBe('Bearer opaque-value');
    }
    const [first, ...others] = batches();
    expect(first).toMatchObject({ type: 'audit-log.entries', streamId: id, previousCursor: null });
    others.forEach((batch, index) => expect(batch.previousCursor).toBe(batches()[index].cursor));
    const state = await becomes(
      { id, secret },
      'no lag',
      ({ lagSeconds, lastSuccessAt }) => lagSeconds === 0 && lastSuccessAt,
    );
    expect(state).toMatchObject({ hasAuthorization: true, lastError: null, disabledAt: null });
    expect(JSON.stringify(state)).not.toContain('opaque-value');
    const dump = (await databaseDump(t.database)).join('\n') + t.logLines.join('\n');
    for (const hidden of ['opaque-value', secret.slice('whsec_'.length)]) expect(dump).not.toContain(hidden);
  });

  it('are tested with a request without entries, whose answer is shown, also while they are paused', async () => {
    const { id, secret } = await created({ authorization: 'Basic dGVzdA==' });
    await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send({ enabled: false }).expect(200);
    receiver.answer = answering(418);
    const { body } = await t.api.post(`${PATH}/${id}/test`).set(owner.bearer).expect(200);
    expect(body.data).toMatchObject({ status: 418, response: 'status 418' });
    const [request] = receiver.requests.filter(({ body: text }) => text.includes('audit-log.test'));
    expect(new Webhook(secret).verify(request.body, request.headers as Record<string, string>)).toMatchObject({
      type: 'audit-log.test',
      entries: [],
    });
    expect(request.headers.authorization).toBe('Basic dGVzdA==');
  });

  it('give the header Authorization to the origin only that it was given for', async () => {
    const { id } = await created({ authorization: 'Bearer opaque-value' });
    const change = async (changes: object) =>
      (await t.api.patch(`${PATH}/${id}`).set(owner.bearer).send(changes).expect(200)).body.data as object;
    expect(await change({ url: `${receiver.url}/v2` })).toMatchObject({ hasAuthorization: true });
    const mail = await t.mailbox.titled(owner.user.email, 'An audit stream of Acme was moved');
    expect(mail.text).toMatch(/with your account.*127\.0\.0\.1:\d+\.[^]*secure-account#token=/);
    expect(mail.text).not.toContain('/v2');
    expect(await change({ url: 'https://other.example/' })).toMatchObject({ hasAuthorization: false });
    const both = { url: 'https://third.example/', authorization: 'Bearer new' };
    expect(await change(both)).toMatchObject({ hasAuthorization: true });
    const changed = (await listed()).filter(({ action }) => action === 'audit-stream.changed');
    expect(changed[0]).toMatchObject({ data: { host: 'third.example', fields: ['authorization', 'url'] } });
  });

  it('begin in the past if asked, with every entry once, in batches of at most 100', async () => {
    await Promise.all(Array.from({ length: 6 }, async (_, i) => rename(`Name ${i}`)));
    const { tenantId } = owner;
    await t.database.query(
      `INSERT INTO audit_log (id, at, action, tenant_id, target_type, target_id, request_id, data)
       SELECT (left(audit_log_bound($2)::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $2, 'x.filled', $1, 'project', n,
              'x', '{}' FROM generate_series(1, 230) n`,
      [tenantId, t.clock.now()],
    );
    await created({ from: new Date(t.clock.now().getTime() - 3_600_000).toISOString() });
    await arrived(['audit-stream.created']);
    const ids = accepted().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(accepted().filter(({ action }) => action === 'x.filled')).toHaveLength(230);
    expect(accepted().map(({ action }) => action)).toContain('tenant.created');
    expect(batches().map(({ entries }) => entries.length)[0]).toBe(100);
    await t.api.get(PATH).set(owner.bearer).expect(200);
  });

  it('skip nothing of a transaction that commits later than others that began after it', async () => {
    await created();
    await arrived(['audit-stream.created']);
    const slow = new Client({ connectionString: t.database.url });
    await slow.connect();
    try {
      const { tenantId } = owner;
      const insert = `INSERT INTO audit_log (id, at, action, tenant_id, target_type, target_id, request_id, data)
        VALUES ($1, now(), 'slow.committed', $2, 'project', 'x', 'x', '{}')`;
      await slow.query(`BEGIN; ${setTenantScopeSql({ tenantId })}`);
      await slow.query(insert, [newIdAt(new Date(t.clock.now().getTime() - 5000)), tenantId]);
      await rename('Faster');
      for (let i = 0; i < 3; i++) await look();
      expect(accepted().map(({ action }) => action)).toEqual(['audit-stream.created']);
      await slow.query('COMMIT');
    } finally {
      await slow.end(); // an open transaction delays all streams
    }
    await arrived(['slow.committed', 'tenant.renamed']);
    expect(accepted().map(({ action }) => action)).toEqual([
      'audit-stream.created',
      'slow.committed',
      'tenant.renamed',
    ]);
  });

  it('repeat a batch with its webhook-id until it is accepted, after pauses, and then continue', async () => {
    const its = await created();
    await arrived(['audit-stream.created']);
    receiver.answer = answering(503, { 'Retry-After': '600' });
    await rename('During the outage');
    await arrived(['tenant.renamed']);
    const refused = await becomes(its, 'an error', ({ lastError }) => lastError);
    expect(refused.lastError).toBe('The receiver answered with the status 503.');
    await later(500);
    await project();
    expect(receiver.requests).toHaveLength(2);
    expect((await stateOf(its)).lagSeconds).toBeGreaterThanOrEqual(500);
    receiver.answer = answering(200);
    await later(101);
    await arrived(['project.created']);
    const sent = batches()
      .slice(1)
      .map(({ entries }) => entries.map(({ action }) => action));
    expect(sent.flat()).toEqual(['tenant.renamed', 'tenant.renamed', 'project.created']);
    await becomes(its, 'a success', ({ failingSince, lastError }) => failingSince === null && lastError === null);
  });

  it('repeat the same batch if the process ends between sending it and storing that', async () => {
    await stored(await created());
    const store = jest.spyOn(StreamOutcomes.prototype, 'store').mockRejectedValueOnce(new Error('killed'));
    await rename('Twice');
    await arrived(['tenant.renamed']);
    await eventually(() => store.mock.calls.length > 0, 'the interrupted storing');
    await project();
    await look();
    expect(receiver.requests).toHaveLength(2); // the lease of the process that ended
    await later(61);
    await arrived(['project.created']);
    expect(
      batches()
        .slice(1)
        .flatMap(({ entries }) => entries.map(({ action }) => action)),
    ).toEqual(['tenant.renamed', 'tenant.renamed', 'project.created']);
    expect(batches()[2].previousCursor).toBe(batches()[1].previousCursor);
    store.mockRestore();
  });

  it('are sent by one of several instances at a time, each entry once', async () => {
    const other = await TestApp.start({ env: LOCAL, beside: t });
    try {
      receiver.answer = (response) => setTimeout(() => answering(200)(response, { headers: {}, body: '' }), 50);
      await created();
      for (let i = 0; i < 8; i++) {
        await rename(`Name ${i}`);
        await Promise.all([look(), look(other)]);
      }
      await eventually(async () => {
        await Promise.all([look(), look(other)]);
        return accepted().length >= 9 || undefined;
      }, 'all entries');
      expect(new Set(accepted().map(({ id }) => id)).size).toBe(9);
      expect([accepted().length, receiver.mostOpen]).toEqual([9, 1]);
    } finally {
      await other.close();
    }
  });

  it('end when the receiver answers 410, notify the Owner, and continue where they stopped when resumed', async () => {
    receiver.answer = answering(410);
    const its = await created();
    await becomes(its, 'a disabled stream', ({ disabledWhy }) => disabledWhy === 'gone');
    const { body } = await t.api.get('/notifications').set(owner.bearer).expect(200);
    expect(body.data.items).toMatchObject([{ kind: 'AuditStreamDisabled', data: { streamId: its.id } }]);
    await untilNoJobIsLeft(t);
    const mail = await t.mailbox.titled(owner.user.email, 'An audit stream of Acme was disabled');
    expect(mail.text).toContain('answered that it no longer exists');
    await rename('While disabled');
    await later(DAY);
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = answering(200);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await t.api.patch(`${PATH}/${its.id}`).set(owner.bearer).send({ enabled: true }).expect(200);
    await later(61);
    await arrived(['audit-stream.created', 'audit-stream.disabled', 'tenant.renamed', 'audit-stream.changed']);
  });

  it('are stopped by operators, even twice at once: the Owner is told, and no member gets around it', async () => {
    const admin = await t.actors.admin();
    const its = await created({ url: `${receiver.url}/secret-path`, authorization: 'Bearer opaque-value' });
    await arrived(['audit-stream.created']);
    const path = `/admin/audit-streams/${its.id}`;
    const change = (action: string, by = admin) => t.api.post(`${path}/${action}`).set(by.bearer);
    const refusals = [change('disable', owner), change('enable', owner), t.api.get(path).set(owner.bearer)];
    for (const refused of refusals) expect(codeOf(await refused.expect(403))).toBe('FORBIDDEN');
    const reason = 'Ticket 4713: not its own receiver';
    for (const { body } of await Promise.all([1, 2].map(() => change('disable').send({ reason }).expect(200))))
      expect(body.data).toMatchObject({ id: its.id, disabledWhy: 'operator', lastError: null });
    const { host } = new URL(receiver.url);
    const listed = await listedFor(admin, { state: 'disabled', tenant: owner.tenantId });
    expect(listed).toMatchObject([{ id: its.id, tenantId: owner.tenantId, host, failures: 0 }]);
    for (const hidden of ['secret-path', 'opaque-value', 'whpk_', '"url"'])
      expect(JSON.stringify(listed)).not.toContain(hidden);
    expect(await listedFor(admin, { state: 'failing', tenant: owner.tenantId })).toEqual([]);
    const audited = await t.database.query(
      'SELECT actor_id AS by, data FROM audit_log WHERE target_id = $1 AND action = $2',
      [its.id, 'audit-stream.disabled'],
    );
    expect(audited).toEqual([{ by: admin.user.id, data: { reason: 'operator', note: reason } }]);
    const { body } = await t.api.get('/notifications').set(owner.bearer).expect(200);
    expect(body.data.items).toMatchObject([{ kind: 'AuditStreamDisabled', data: { streamId: its.id } }]);
    await untilNoJobIsLeft(t);
    const mail = await t.mailbox.titled(owner.user.email, 'An audit stream of Acme was disabled');
    expect(mail.text).toContain('by an operator of the service');

    const own = `${PATH}/${its.id}`;
    const patch = (changes: object) => t.api.patch(own).set(owner.bearer).send(changes);
    const around = [
      patch({ enabled: true }),
      patch({ url: 'https://other.example/' }),
      t.api.delete(own).set(owner.bearer),
      t.api.post(`${own}/test`).set(owner.bearer),
      create({ url: `${receiver.url}/again` }),
    ];
    for (const request of around) expect(codeOf(await request.expect(409))).toBe('CONFLICT');
    const second = await created({ url: 'https://other.example/' });
    const moved = t.api
      .patch(`${PATH}/${second.id}`)
      .set(owner.bearer)
      .send({ url: `${receiver.url}/moved` });
    expect(codeOf(await moved.expect(409))).toBe('CONFLICT');
    expect((await patch({ enabled: false }).expect(200)).body.data).toMatchObject({ disabledWhy: 'operator' });
    await later(DAY);
    expect(receiver.requests).toHaveLength(1);
    const again = await t.actors.signIn(admin.user.email);
    for (let time = 1; time <= 2; time++)
      expect((await change('enable', { ...admin, ...again }).expect(200)).body.data).toMatchObject({
        disabledAt: null,
      });
    await later(61);
    await arrived(['audit-stream.disabled', 'audit-stream.changed']);
    owner = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
    await t.api.delete(own).set(owner.bearer).expect(200);
    expect(codeOf(await t.api.get(path).set(again.bearer).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await t.api.post(`${path}/disable`).set(again.bearer).expect(404))).toBe('NOT_FOUND');
  });

  it('are not sent while the plan does not include them, but can be paused and deleted', async () => {
    const its = await created();
    await arrived(['audit-stream.created']);
    await t.database.query(`UPDATE subscriptions SET plan = 'Pro' WHERE tenant_id = $1`, [owner.tenantId]);
    await t.nest.get(PlanCache, { strict: false }).reload(owner.tenantId);
    await rename('Downgraded');
    const shown = await becomes(its, 'the reason', ({ lastError }) => lastError);
    expect([shown.lastError, receiver.requests.length]).toEqual(['The plan does not include audit streams.', 1]);
    const refused = await create().expect(402);
    const details = { entitlement: ['auditStreaming'], requiredPlan: ['Business'] };
    expect(refused.body.error.details).toEqual(details);
    const patch = (changes: object) => t.api.patch(`${PATH}/${its.id}`).set(owner.bearer).send(changes);
    expect((await patch({ enabled: false }).expect(200)).body.data).toMatchObject({ disabledWhy: 'user' });
    for (const changes of [{ enabled: true }, { url: `${receiver.url}/moved` }])
      expect((await patch(changes).expect(402)).body.error.details).toEqual(details);
    await t.api.delete(`${PATH}/${its.id}`).set(owner.bearer).expect(200);
  });

  it('continue after what they have sent when a dump is restored into another cluster', async () => {
    const its = await created();
    await stored(its);
    const offset = async () => (await t.database.query<{ n: string }>('SELECT audit_log_offset()::text AS n'))[0].n;
    await migrate(t.database.urls, ENTITY_CLASSES);
    expect(await offset()).toBe('0');
    await t.database.query('UPDATE audit_streams SET sent_position = 1e12 WHERE id = $1', [its.id]);
    await t.database.query(
      `INSERT INTO audit_log (id, at, action, tenant_id, target_type, target_id, request_id, data, position)
       VALUES ($1, now(), 'x.restored', NULL, 'x', 'x', 'x', '{}', 1e12)`,
      [newIdAt(t.clock.now())],
    );
    await migrate(t.database.urls, ENTITY_CLASSES);
    expect(await offset()).toBe('1000001000000');
    await project();
    await arrived(['project.created']);
  });

  it('need the permission, a fresh proof, an allowed address, and are at most two', async () => {
    const member = await t.actors.member(owner, ['tenant.audit.read', 'tenant.webhooks.manage']);
    const admin = await t.actors.member(owner, ['tenant.audit.stream', 'tenant.audit.read']);
    expect(codeOf(await create({}, member).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await t.api.get(PATH).set(member.bearer).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await create({ url: 'https://10.0.0.1/' }).expect(400))).toBe('WEBHOOK_URL_NOT_ALLOWED');
    expect(codeOf(await create({ authorization: 'two\nlines' }).expect(400))).toBe('VALIDATION_ERROR');
    const answers = await Promise.all([create(), create({}, admin), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    const { items } = (await t.api.get(PATH).set(admin.bearer).expect(200)).body.data as { items: Stream[] };
    expect(items).toHaveLength(2);
    const one = `${PATH}/${items[0].id}`;
    t.clock.advance(10 * MINUTE + 1);
    const older = { ...(await t.actors.refreshed(owner)), tenantId: owner.tenantId };
    const asked = () => [
      t.api.patch(one).set(older.bearer).send({ url: receiver.url, authorization: null }),
      t.api.post(`${one}/rotate-secret`).set(older.bearer).send({}),
    ];
    for (const request of [create({}, older), ...asked(), t.api.delete(one).set(older.bearer)])
      expect(codeOf(await request.expect(403))).toBe('STEP_UP_REQUIRED');
    await t.api.post('/auth/step-up').set(older.bearer).send({ password: PASSWORD }).expect(200);
    const [changed, rotated] = await Promise.all(asked());
    expect([changed.status, changed.body.data.hasAuthorization, rotated.status]).toEqual([200, false, 200]);
    await t.api.delete(one).set(older.bearer).expect(200);
    await t.api.get(one).set(older.bearer).expect(404);
  });

  it('belong to members who can view the log, and stop when they no longer can', async () => {
    const blind = await t.actors.member(owner, ['tenant.audit.stream']);
    const reader = await t.actors.member(owner, ['tenant.audit.stream', 'tenant.audit.read']);
    expect(codeOf(await create({}, blind).expect(403))).toBe('PERMISSION_NOT_HELD');
    const its = await created({}, reader);
    await arrived(['audit-stream.created']);
    const change = (changes: object, by: Member) => t.api.patch(`${PATH}/${its.id}`).set(by.bearer).send(changes);
    for (const changes of [{ url: 'https://attacker.example/' }, { authorization: 'Bearer attacker' }])
      expect(codeOf(await change(changes, blind).expect(403))).toBe('PERMISSION_NOT_HELD');
    await change({ description: 'Monitoring' }, blind).expect(200);
    await t.actors.assign(reader, await t.actors.role(owner, ['tenant.audit.stream']));
    const seen = receiver.requests.length;
    await becomes(its, 'a refusal', ({ lastError }) => String(lastError).includes('no longer view the audit log'));
    expect(receiver.requests).toHaveLength(seen);
    await change({ url: receiver.url }, owner).expect(200);
    await later(61);
    await arrived(['role.created']);
  });

  it('keep an earlier secret for as long as promised', async () => {
    const { id } = await created();
    const rotate = (body: object = {}) => t.api.post(`${PATH}/${id}/rotate-secret`).set(owner.bearer).send(body);
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await rotate({ overlapHours: 0 }).expect(200);
    await rotate().expect(200);
  });

  it('are not delayed by 16 receivers that hang, from the beginning or all at once', async () => {
    const admin = await t.actors.admin();
    await created();
    await arrived(['audit-stream.created']);
    await eventually(async () => {
      const [its] = await listedFor(admin, { tenant: owner.tenantId });
      return ('isSlow' in its && !its.isSlow) || undefined;
    }, 'an answer in time');
    const held: ServerResponse[] = [];
    const hold = (response: ServerResponse) => {
      held.push(response);
    };
    const hanging = await WebhookReceiver.start(hold);
    const owners = await Promise.all(Array.from({ length: 8 }, () => t.actors.owner({ plan: 'Business' })));
    for (const by of [...owners, ...owners]) await created({ url: hanging.url }, by);
    const renameAll = async (name: string) => {
      for (const by of owners) await t.api.patch('/tenants/current').set(by.bearer).send({ name }).expect(200);
    };
    const untilHeld = (count: number) =>
      eventually(async () => {
        await look();
        return held.length === count || undefined;
      }, `${count} requests`);
    await untilHeld(8);
    await rename('Meanwhile');
    await arrived(['tenant.renamed']);
    expect(held).toHaveLength(8); // the slots that slow and new ones share

    hanging.answer = answering(200);
    for (const response of held.splice(0)) response.end();
    await renameAll('Answering');
    await eventually(async () => {
      await look();
      const slow = await t.database.query('SELECT FROM audit_streams WHERE url = $1 AND is_slow', [hanging.url]);
      return slow.length === 0 || undefined;
    }, 'answers of all');
    hanging.answer = hold;
    await renameAll('Hung');
    await untilHeld(16);
    await project();
    await later(6); // requests that take so long leave their slots
    await arrived(['project.created']);
    await t.database.query('DELETE FROM audit_streams WHERE url = $1', [hanging.url]);
    hanging.stop();
  });

  it('are measured', async () => {
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).toMatch(/audit_stream_batches_total\{outcome="delivered"\} \d+/);
    expect(text).toMatch(/audit_stream_lag_seconds \d+/);
  });
});
