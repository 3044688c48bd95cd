import { createPublicKey, verify } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { Webhook } from 'standardwebhooks';
import { openApiDocument } from '../../../src/http/openapi/openapi-document';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { ErasureSteps } from '../../../src/platform/erasure-steps';
import { ok } from '../../../src/platform/result';
import { PurgeWebhookMessages } from '../../../src/webhooks/commands/purge-webhook-messages';
import { RemoveWebhookEndpoint } from '../../../src/webhooks/commands/remove-webhook-endpoint';
import { WebhookDeliveryRepository } from '../../../src/webhooks/data/webhook-delivery.repository';
import { SENDING_REQUESTS_PER_MINUTE } from '../../../src/webhooks/http/sends-webhooks.decorator';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import {
  WEBHOOKS_PATH,
  WITH_LOCAL_RECEIVERS,
  WebhookDeliveries,
  type NewEndpoint,
} from '../../support/webhook-deliveries';
import { answering, type WebhookReceiver, type ReceivedRequest } from '../../support/webhook-receiver';

describe('webhooks', () => {
  let t: TestApp;
  let owner: Member;
  let receiver: WebhookReceiver;
  let webhooks: WebhookDeliveries;
  beforeAll(async () => {
    t = await TestApp.start({ env: WITH_LOCAL_RECEIVERS });
  });
  beforeEach(async () => {
    webhooks = await WebhookDeliveries.start(t);
    ({ owner, receiver } = webhooks);
  });
  afterEach(() => webhooks.stop());
  afterAll(() => t.close());

  const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>;

  it('send an event of the tenant to the endpoints that want it', async () => {
    const other = await webhooks.startReceiver();
    await webhooks.endpoint({ types: ['project.created', 'member.joined'] });
    await webhooks.endpoint({ url: other.url, types: ['member.joined'] });
    const id = await webhooks.project();
    const member = await t.actors.member(owner);
    await webhooks.arrived(1);
    expect(receiver.events[0]).toEqual({
      type: 'project.created',
      timestamp: expect.any(String) as string,
      tenantId: owner.tenantId,
      data: { id, name: 'Loom', archived: false, createdAt: expect.any(String) as string },
    });
    expect(member.tenantId).toBe(owner.tenantId); // created in the database, without an event
    await t.api.patch(`/tenants/current/projects/${id}`).set(owner.bearer).send({ name: 'Engine' }).expect(200);
    expect(other.requests).toEqual([]);
  });

  it('send roles, invitations, members and the name of the tenant to an endpoint for all events', async () => {
    await webhooks.endpoint();
    const roleId = await t.actors.role(owner, ['tenant.projects.read'], 'Reader');
    const invitation = { email: 'guest@example.com', roleId };
    const { body } = await t.api.post('/tenants/current/invitations').set(owner.bearer).send(invitation).expect(200);
    await t.api.delete(`/tenants/current/invitations/${body.data.id}`).set(owner.bearer).expect(200);
    await t.api.patch('/tenants/current').set(owner.bearer).send({ name: 'Engines' }).expect(200);
    const member = await t.actors.member(owner);
    await t.api.patch(`/tenants/current/members/${member.user.id}`).set(owner.bearer).send({ roleId }).expect(200);
    await t.api.delete(`/tenants/current/members/${member.user.id}`).set(owner.bearer).expect(200);
    const events = await eventually(() => {
      const found = new Map(receiver.events.map(({ type, data }) => [type, data]));
      return found.has('member.removed') && found.size >= 5 ? found : undefined;
    }, 'the events');
    expect(events.get('invitation.created')).toMatchObject({ ...invitation, id: body.data.id as string });
    expect(events.get('invitation.revoked')).toMatchObject({ id: body.data.id as string });
    expect(events.get('tenant.renamed')).toMatchObject({ name: 'Engines' });
    expect(events.get('member.role_changed')).toEqual({ userId: member.user.id, roleId, role: 'Reader' });
    expect(events.get('member.removed')).toEqual({ userId: member.user.id });
  });

  it('store nothing for a tenant without an endpoint, of another type, or before the endpoint exists', async () => {
    await webhooks.project('Early');
    const other = await t.actors.owner();
    await webhooks.project('Foreign', other);
    await webhooks.endpoint({ types: ['project.deleted'] });
    await webhooks.project('Unwanted');
    expect(
      await t.database.query('SELECT FROM webhook_messages WHERE tenant_id = ANY($1)', [
        [owner.tenantId, other.tenantId],
      ]),
    ).toEqual([]);
  });

  it('are of types that the API document has, a test too', async () => {
    const { id } = await webhooks.endpoint();
    await t.api.post(`${WEBHOOKS_PATH}/${id}/test`).set(owner.bearer).expect(200);
    await webhooks.project();
    await webhooks.arrived(2);
    expect(receiver.events.find(({ type }) => type === 'webhook.test')?.data).toEqual({ endpointId: id });
    const { webhooks: described } = openApiDocument(t.nest, t.settings) as unknown as { webhooks: object };
    expect(Object.keys(described)).toEqual(expect.arrayContaining(receiver.events.map(({ type }) => type)));
  });

  it('are signed so that the package standardwebhooks and the public key verify them', async () => {
    const { id, secret, publicKey } = await webhooks.endpoint();
    await t.api.post(`${WEBHOOKS_PATH}/${id}/test`).set(owner.bearer).expect(200);
    await webhooks.project();
    await webhooks.arrived(2);
    for (const request of receiver.requests) {
      const headers = headersOf(request);
      expect(new Webhook(secret).verify(request.body, headers)).toEqual(JSON.parse(request.body));
      const [v1, v1a] = headers['webhook-signature'].split(' ');
      expect([v1.slice(0, 3), v1a.slice(0, 4)]).toEqual(['v1,', 'v1a,']);
      const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
      const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
      const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
      const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${request.body}`);
      expect(verify(null, signed, key, Buffer.from(v1a.slice(4), 'base64'))).toBe(true);
    }
  });

  it('are signed with the old and the new keys while they overlap', async () => {
    const { id, secret } = await webhooks.endpoint();
    const rotate = { overlapHours: 2 };
    const { body } = await t.api
      .post(`${WEBHOOKS_PATH}/${id}/rotate-secret`)
      .set(owner.bearer)
      .send(rotate)
      .expect(200);
    const fits = (request: ReceivedRequest, its: string) => {
      try {
        new Webhook(its).verify(request.body, {
          ...headersOf(request),
          'webhook-timestamp': headersOf(request)['webhook-timestamp'],
        });
        return true;
      } catch {
        return false;
      }
    };
    const { secret: renewed } = body.data as NewEndpoint;
    await webhooks.project();
    await webhooks.arrived(1);
    expect(receiver.requests[0].headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+ v1,\S+ v1a,\S+$/);
    expect([secret, renewed].map((its) => fits(receiver.requests[0], its))).toEqual([true, true]);
    t.clock.advance(2 * HOUR + 1);
    owner = await webhooks.signInAgain();
    await webhooks.project('Engine');
    await webhooks.arrived(2);
    expect(receiver.requests[1].headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  it('do not follow redirects', async () => {
    const elsewhere = await webhooks.startReceiver();
    receiver.answer = answering(307, { Location: elsewhere.url });
    const its = await webhooks.endpoint();
    await webhooks.project();
    await webhooks.settled(its, 'due', 1);
    expect(elsewhere.requests).toEqual([]);
  });

  it('whose event is rolled back are not sent', async () => {
    await webhooks.endpoint();
    const { id } = { id: await webhooks.project() };
    await webhooks.arrived(1);
    const names = await t.api.patch(`/tenants/current/projects/${id}`).set(owner.bearer).send({ name: '' });
    expect(names.status).toBe(400);
    expect(await t.database.query('SELECT FROM webhook_messages WHERE tenant_id = $1', [owner.tenantId])).toHaveLength(
      1,
    );
  });

  it('are kept for 30 days', async () => {
    const its = await webhooks.endpoint();
    await webhooks.project();
    await webhooks.settled(its, 'delivered', 1);
    const purge = () => t.nest.get(CommandBus).execute(new PurgeWebhookMessages());
    const count = async () =>
      (await t.database.query('SELECT FROM webhook_deliveries WHERE tenant_id = $1', [owner.tenantId])).length;
    t.clock.advance(29 * DAY);
    await purge();
    expect(await count()).toBe(1);
    t.clock.advance(2 * DAY);
    await purge();
    expect(await count()).toBe(0);
    expect(await t.database.query('SELECT FROM webhook_messages WHERE tenant_id = $1', [owner.tenantId])).toEqual([]);
  });

  it('with the address of a deleted account are erased, also in tenants that it was never in', async () => {
    const its = await webhooks.endpoint({ types: ['invitation.created'] });
    for (const email of ['gone@example.com', 'stays@example.com'])
      await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
    await webhooks.arrived(2);
    await eventually(
      async () => (await webhooks.deliveries(its, '?state=delivered')).length === 2 || undefined,
      'deliveries',
    );
    const person = { userId: owner.user.id, emails: ['gone@example.com'], deletedTenantIds: [] };
    const erase = (leftTenantIds: string[], erasedAt: Date) =>
      t.nest
        .get(UnitOfWork)
        .acrossTenants(async () => ok(await t.nest.get(ErasureSteps).run({ ...person, leftTenantIds, erasedAt }, 100)));
    const types = async () => (await webhooks.deliveries(its)).length;
    await erase([], new Date(t.clock.now().getTime() - HOUR * 1000));
    expect(await types()).toBe(2);
    await erase([], new Date(t.clock.now().getTime() + 1000));
    expect(await types()).toBe(1);
  });

  it('are tested and replayed at most 60 times a minute by a tenant', async () => {
    const limited = await TestApp.start({ beside: t, env: { ...WITH_LOCAL_RECEIVERS, RATE_LIMIT_PER_MINUTE: '1000' } });
    try {
      const its = await webhooks.endpoint();
      const test = () => limited.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer);
      const answers = await Promise.all(Array.from({ length: SENDING_REQUESTS_PER_MINUTE + 2 }, test));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(SENDING_REQUESTS_PER_MINUTE);
      const now = t.clock.now().getTime();
      const span = { from: new Date(now - 1000), to: new Date(now) };
      const refused = await limited.api
        .post(`${WEBHOOKS_PATH}/${its.id}/replay`)
        .set(owner.bearer)
        .send(span)
        .expect(429);
      expect(codeOf(refused)).toBe('RATE_LIMITED');
      await limited.api.get(`${WEBHOOKS_PATH}/${its.id}`).set(owner.bearer).expect(200);
    } finally {
      await limited.close();
    }
  });

  it('of a deleted endpoint end', async () => {
    receiver.answer = answering(500);
    const its = await webhooks.endpoint();
    await webhooks.project();
    await webhooks.settled(its, 'due', 1);
    const [{ id }] = await webhooks.deliveries(its);
    const purge = jest.spyOn(t.nest.get(WebhookDeliveryRepository, { strict: false }), 'removeOfDeleted');
    purge.mockRejectedValueOnce(new Error('later')); // the job is repeated, and the endpoint is hidden meanwhile
    await t.api.delete(`${WEBHOOKS_PATH}/${its.id}`).set(owner.bearer).expect(200);
    for (const path of ['', '/deliveries', `/deliveries/${id}`])
      await t.api.get(`${WEBHOOKS_PATH}/${its.id}${path}`).set(owner.bearer).expect(404);
    for (const path of ['/test', `/deliveries/${id}/replay`])
      await t.api.post(`${WEBHOOKS_PATH}/${its.id}${path}`).set(owner.bearer).expect(404);
    expect((await t.api.get(WEBHOOKS_PATH).set(owner.bearer).expect(200)).body.data.items).toEqual([]);
    await eventually(() => purge.mock.calls.length > 0 || undefined, 'the job');
    purge.mockRestore();
    await t.nest.get(CommandBus).execute(new RemoveWebhookEndpoint(owner.tenantId, its.id));
    webhooks.later(MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    for (const table of ['webhook_deliveries', 'webhook_endpoints'])
      expect(await t.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [owner.tenantId])).toEqual([]);
    const kept = await webhooks.endpoint();
    await t.nest.get(CommandBus).execute(new RemoveWebhookEndpoint(owner.tenantId, kept.id));
    await t.api.get(`${WEBHOOKS_PATH}/${kept.id}`).set(owner.bearer).expect(200);
  });
});
