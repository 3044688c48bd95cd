import { Database } from '../../../src/platform/database/database';
import { newId } from '../../../src/platform/ids';
import type { Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { markVerified } from '../../support/verified-endpoint';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { answering, WebhookReceiver } from '../../support/webhook-receiver';

const OWN = '/tenants/current/webhooks';

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

describe('the webhooks of tenants for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let owner: Member;
  let other: Member;
  let receiver: WebhookReceiver;
  let healthy: WebhookReceiver;
  /** One whose receiver answers 500, and one of another tenant that works. */
  let failing: Endpoint;
  let working: Endpoint;

  const create = async (by: Member, url: string) => {
    const asked = t.api.post(OWN).set(by.bearer).send({ url, description: 'Data warehouse' });
    const endpoint = (await asked.expect(200)).body.data as Endpoint;
    await markVerified(t, endpoint);
    return endpoint;
  };
  const get = (path: string, query: object = {}) => t.api.get(`/admin/${path}`).query(query).set(admin.bearer);
  const items = async (path: string, query: object = {}) =>
    (await get(path, query).expect(200)).body.data.items as Record<string, unknown>[];
  const idsOf = async (path: string, query: object = {}) => (await items(path, query)).map(({ id }) => id);
  const change = (action: 'disable' | 'enable', id: string, body: object = {}, by = admin) =>
    t.api.post(`/admin/webhook-endpoints/${id}/${action}`).set(by.bearer).send(body);
  const test = (by: Member, { id }: Endpoint) => t.api.post(`${OWN}/${id}/test`).set(by.bearer).expect(200);
  const auditOf = (id: string, action: string) =>
    t.database.query(
      'SELECT actor_id AS actor, tenant_id AS tenant, data FROM audit_log WHERE target_id = $1 AND action = $2',
      [id, action],
    );

  beforeAll(async () => {
    t = await TestApp.start({ env: { WEBHOOK_ALLOW_LOOPBACK: 'true' } });
    [receiver, healthy] = [await WebhookReceiver.start(answering(500)), await WebhookReceiver.start()];
    [admin, owner, other] = [await t.actors.admin(), await t.actors.owner(), await t.actors.owner()];
    failing = await create(owner, `${receiver.url}/secret-path?token=secret-query`);
    working = await create(other, healthy.url);
    for (let sent = 1; sent <= 2; sent++) await test(owner, failing);
    await test(other, working);
    await eventually(async () => {
      const [delivered] = await items('webhook-deliveries', { state: 'delivered' });
      const [, failed] = await items('webhook-deliveries', { endpoint: failing.id });
      return (delivered && failed?.attempt === 1) || undefined;
    }, 'the attempts');
  });
  afterAll(async () => {
    for (const one of [receiver, healthy]) one.stop();
    await t.close();
  });

  it('are listed with the state of each endpoint, by state and by tenant', async () => {
    expect(await idsOf('webhook-endpoints')).toEqual([working.id, failing.id]);
    expect(await items('webhook-endpoints', { state: 'failing' })).toEqual([
      {
        id: failing.id,
        tenantId: owner.tenantId,
        host: new URL(receiver.url).host,
        description: 'Data warehouse',
        failures: 2,
        failingSince: expect.stringMatching(/Z$/) as string,
        disabledAt: null,
        disabledWhy: null,
        isSlow: false,
        createdAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect(await idsOf('webhook-endpoints', { state: 'unhealthy' })).toEqual([failing.id]);
    expect(await idsOf('webhook-endpoints', { state: 'disabled' })).toEqual([]);
    expect(await idsOf('webhook-endpoints', { tenant: other.tenantId })).toEqual([working.id]);
    expect((await get(`webhook-endpoints/${failing.id}`).expect(200)).body.data).toMatchObject({ waiting: 2 });
    expect((await get(`webhook-endpoints/${working.id}`).expect(200)).body.data).toMatchObject({ waiting: 0 });
  });

  it('have deliveries, which are listed by state, tenant and endpoint, page by page', async () => {
    const [newest, second, first] = await items('webhook-deliveries');
    expect(newest).toEqual({
      id: expect.any(String) as string,
      tenantId: other.tenantId,
      endpointId: working.id,
      messageId: expect.any(String) as string,
      type: 'webhook.test',
      state: 'delivered',
      attempt: 1,
      nextAt: null,
      createdAt: expect.stringMatching(/Z$/) as string,
      lastAttempt: {
        at: expect.any(String) as string,
        milliseconds: expect.any(Number) as number,
        status: 200,
        error: null,
      },
    });
    const error = 'The receiver answered with the status 500.';
    expect(second).toMatchObject({ state: 'due', lastAttempt: { status: 500, error } });
    const ids = [newest.id, second.id, first.id];
    const page = (await get('webhook-deliveries', { limit: 2 }).expect(200)).body.data;
    const rest = (await get('webhook-deliveries', { limit: 2, cursor: page.nextCursor }).expect(200)).body.data;
    expect([...page.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(rest.nextCursor).toBeNull();
    expect(await idsOf('webhook-deliveries', { state: 'delivered' })).toEqual([newest.id]);
    expect(await idsOf('webhook-deliveries', { tenant: owner.tenantId, limit: 1 })).toEqual([second.id]);
    expect(await idsOf('webhook-deliveries', { endpoint: failing.id, state: 'due' })).toEqual([second.id, first.id]);
    expect(await idsOf('webhook-deliveries', { endpoint: failing.id, tenant: other.tenantId })).toEqual([]);
    expect(await idsOf('webhook-deliveries', { endpoint: newId() })).toEqual([]);
    for (const query of [{ state: 'lost' }, { tenant: 'x' }, { endpoint: 'x' }])
      expect(codeOf(await get('webhook-deliveries', query).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('show neither addresses beyond the host nor secrets, bodies, signatures or answers', async () => {
    const answers = [
      await get('webhook-endpoints'),
      await get(`webhook-endpoints/${failing.id}`),
      await get('webhook-deliveries'),
    ];
    const text = JSON.stringify(answers.map(({ body }) => body as object));
    expect(text).toContain(failing.id);
    for (const hidden of [
      'secret-path',
      'secret-query',
      failing.secret,
      'whsec_',
      'whpk_',
      'v1,',
      'keysEnc',
      'status 200',
    ])
      expect(text).not.toContain(hidden);
    for (const field of ['"body"', '"response"', '"url"', '"publicKey"']) expect(text).not.toContain(field);
  });

  it('can be disabled, even twice at once: the Owner is notified, and only operators enable the endpoint', async () => {
    const endpoint = await create(owner, receiver.url);
    const reason = 'Ticket 4713: answers with a flood';
    for (const { body } of await Promise.all([1, 2].map(() => change('disable', endpoint.id, { reason }).expect(200))))
      expect(body.data).toMatchObject({ id: endpoint.id, disabledWhy: 'operator', waiting: 0 });
    expect(await auditOf(endpoint.id, 'webhook-endpoint.disabled')).toEqual([
      { actor: admin.user.id, tenant: owner.tenantId, data: { reason: 'operator', note: reason } },
    ]);
    const { body } = await t.api.get('/notifications').set(owner.bearer).expect(200);
    expect(body.data.items).toMatchObject([{ kind: 'WebhookDisabled', data: { endpointId: endpoint.id } }]);
    await untilNoJobIsLeft(t);
    const mail = await t.mailbox.titled(owner.user.email, 'A webhook of Acme was disabled');
    expect(mail.text).toContain('by an operator of the service');
    expect(await idsOf('webhook-endpoints', { state: 'disabled' })).toEqual([endpoint.id]);
    expect(await idsOf('webhook-endpoints', { state: 'unhealthy' })).toEqual([endpoint.id, failing.id]);

    const patch = (changes: object) => t.api.patch(`${OWN}/${endpoint.id}`).set(owner.bearer).send(changes);
    expect(codeOf(await patch({ enabled: true }).expect(409))).toBe('CONFLICT');
    await patch({ description: 'Quiet now' }).expect(200);
    const again = t.api
      .post(OWN)
      .set(owner.bearer)
      .send({ url: `${receiver.url}/again` });
    const moved = t.api
      .patch(`${OWN}/${failing.id}`)
      .set(owner.bearer)
      .send({ url: `${receiver.url}/moved` });
    const away = patch({ url: healthy.url }); // would free its host
    for (const around of [again, moved, away, t.api.delete(`${OWN}/${endpoint.id}`).set(owner.bearer)])
      expect(codeOf(await around.expect(409))).toBe('CONFLICT');
    expect((await patch({ enabled: false }).expect(200)).body.data).toMatchObject({ disabledWhy: 'operator' });
    for (let time = 1; time <= 2; time++)
      expect((await change('enable', endpoint.id).expect(200)).body.data).toMatchObject({ disabledAt: null });
    expect(await auditOf(endpoint.id, 'webhook-endpoint.changed')).toContainEqual(
      expect.objectContaining({ actor: admin.user.id, data: expect.objectContaining({ enabled: true }) as object }),
    );
    await patch({ enabled: false }).expect(200);
    expect((await patch({ enabled: true }).expect(200)).body.data).toMatchObject({ disabledAt: null });
  });

  it('have deliveries, a page of which is one statement that reads by an index, however many there are', async () => {
    const id = `('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
    await t.database.query(`
      SET session_replication_role = replica;
      INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, message_id, type, state, attempt, log, created_at)
      SELECT CASE WHEN i % 2 = 0 OR i % 1001 = 0 THEN '${owner.tenantId}' ELSE gen_random_uuid() END, ${id},
             '${failing.id}', ${id}, 'crowd', CASE WHEN i % 2 = 0 THEN 'delivered' ELSE 'failed' END, 1, '[]', now()
        FROM generate_series(1, 20000) i;
      ANALYZE webhook_deliveries`);
    const database = t.nest.get(Database);
    const read = jest.spyOn(database, 'readInTenant');
    for (const [query, index] of [
      [{}, 'state_idx'],
      [{ state: 'failed' }, '(state|failed)_idx'],
      [{ tenant: owner.tenantId }, 'pkey'],
      [{ tenant: owner.tenantId, state: 'failed' }, 'failed_idx'],
      [{ tenant: owner.tenantId, state: 'due' }, 'due_idx'],
      [{ endpoint: failing.id }, '(endpoint_idx|pkey)'],
    ] as const) {
      read.mockClear();
      expect((await items('webhook-deliveries', { ...query, limit: 5 })).length).toBeGreaterThan(0);
      const sent = read.mock.calls.filter(([, sql]) => sql.includes('webhook_deliveries'));
      expect(sent).toHaveLength(1);
      const [[scope, sql, parameters]] = sent;
      const plan = JSON.stringify(await database.readInTenant(scope, `EXPLAIN ${sql}`, parameters));
      expect(plan).toMatch(new RegExp(`webhook_deliveries_${index}`));
      expect(plan).not.toMatch(/Seq Scan on webhook_deliveries/);
    }
    read.mockRestore();
    await t.database.query(`DELETE FROM webhook_deliveries WHERE type = 'crowd'`);
  });

  it('are not found once they are deleted, or under an unknown id', async () => {
    const { id } = await create(other, healthy.url);
    await t.api.delete(`${OWN}/${id}`).set(other.bearer).expect(200);
    for (const unknown of [id, newId()]) {
      expect(codeOf(await get(`webhook-endpoints/${unknown}`).expect(404))).toBe('NOT_FOUND');
      for (const action of ['disable', 'enable'] as const)
        expect(codeOf(await change(action, unknown).expect(404))).toBe('NOT_FOUND');
    }
  });

  it('are for operators only, also after the admin flag is revoked', async () => {
    const revoked = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [revoked.user.id]);
    for (const action of ['disable', 'enable'] as const) {
      expect(codeOf(await change(action, working.id, {}, owner).expect(403))).toBe('FORBIDDEN');
      expect(codeOf(await change(action, working.id, {}, revoked).expect(403))).toBe('FORBIDDEN');
      await t.api.post(`/admin/webhook-endpoints/${working.id}/${action}`).send({}).expect(401);
    }
    for (const path of ['webhook-endpoints', `webhook-endpoints/${working.id}`, 'webhook-deliveries']) {
      expect(codeOf(await t.api.get(`/admin/${path}`).set(owner.bearer).expect(403))).toBe('FORBIDDEN');
      await t.api.get(`/admin/${path}`).expect(401);
    }
  });
});
