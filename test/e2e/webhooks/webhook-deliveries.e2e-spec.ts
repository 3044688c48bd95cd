import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { PurgeWebhookMessages } from '../../../src/webhooks/commands/purge-webhook-messages';
import { SENDING_REQUESTS_PER_MINUTE } from '../../../src/webhooks/http/sends-webhooks.decorator';
import { RemoveWebhookEndpoint } from '../../../src/webhooks/commands/remove-webhook-endpoint';
import { WebhookDeliveryRepository } from '../../../src/webhooks/data/webhook-delivery.repository';
import { DeliveryLoop } from '../../../src/webhooks/services/delivery-loop';
import { CommandBus } from '@nestjs/cqrs';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { ErasureSteps } from '../../../src/platform/erasure-steps';
import { PlatformFailures } from '../../../src/platform/platform.failures';
import { err, ok } from '../../../src/platform/result';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { OutboundClient } from '../../../src/platform/outbound/outbound-client';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';
import { answering, WebhookReceiver, type ReceivedRequest } from '../../support/webhook-receiver';

const PATH = '/tenants/current/webhooks';
const LOCAL = { WEBHOOK_ALLOW_LOOPBACK: 'true' };

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly publicKey: string;
}
interface Delivery {
  readonly id: string;
  readonly messageId: string;
  readonly type: string;
  readonly state: string;
  readonly attempt: number;
  readonly nextAt: string | null;
  readonly createdAt: string;
}

describe('webhooks', () => {
  let t: TestApp;
  let owner: Member;
  let receiver: WebhookReceiver;
  const receivers: WebhookReceiver[] = [];
  beforeAll(async () => {
    t = await TestApp.start({ env: LOCAL });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    owner = await t.actors.owner();
    receiver = await started();
  });
  afterEach(() => receivers.splice(0).forEach((one) => one.stop()));

  const started = async (answer?: WebhookReceiver['answer']) => {
    const made = await WebhookReceiver.start(answer);
    receivers.push(made);
    return made;
  };
  const endpoint = async (wanted: object = {}, by = owner): Promise<Endpoint> =>
    (
      await t.api
        .post(PATH)
        .set(by.bearer)
        .send({ url: receiver.url, ...wanted })
        .expect(200)
    ).body.data as Endpoint;
  const project = async (name = 'Loom', by = owner): Promise<string> =>
    (await t.api.post('/tenants/current/projects').set(by.bearer).send({ name }).expect(200)).body.data.id as string;
  const deliveries = async ({ id }: Endpoint, query = ''): Promise<Delivery[]> =>
    (await t.api.get(`${PATH}/${id}/deliveries${query}`).set(owner.bearer).expect(200)).body.data.items as Delivery[];
  const parts = () => ({
    deliveries: t.nest.get(WebhookDeliveryRepository, { strict: false }),
    unitOfWork: t.nest.get(UnitOfWork, { strict: false }),
  });
  /** Adds deliveries to an endpoint, which are due at a time. */
  const waiting = ({ id }: Endpoint, count: number, at: Date, database: Pick<UnitOfWork, 'query'> = t.database) =>
    database.query(
      `WITH added AS (
         INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
         SELECT $1, gen_random_uuid(), 'project.created', '{}', false FROM generate_series(1, $4::int) RETURNING id)
       INSERT INTO webhook_deliveries
         (tenant_id, id, endpoint_id, message_id, type, state, attempt, next_at, log, created_at)
       SELECT $1, gen_random_uuid(), $2, id, 'project.created', 'due', 0, $3, '[]', $5 FROM added`,
      [owner.tenantId, id, at, count, t.clock.now()],
    );
  const arrived = (count: number, at = receiver) =>
    eventually(() => at.requests.length >= count || undefined, `${count} requests`);
  /** Waits until the last delivery is in a state, after so many attempts. */
  const settled = (of: Endpoint, state: string, attempt: number) =>
    eventually(async () => {
      const [last] = await deliveries(of);
      return last?.state === state && last.attempt === attempt ? last : undefined;
    }, `a delivery that is ${state} after ${attempt} attempts`);
  /** Moves the clock and looks for what is due. */
  const later = (seconds: number) => {
    t.clock.advance(seconds);
    t.nest.get(DeliveryLoop, { strict: false }).wake();
  };
  const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>;

  it('send an event of the tenant to the endpoints that want it', async () => {
    const other = await started();
    await endpoint({ types: ['project.created', 'member.joined'] });
    await endpoint({ url: other.url, types: ['member.joined'] });
    const id = await project();
    const member = await t.actors.member(owner);
    await arrived(1);
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
    await endpoint();
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
    await project('Early');
    const other = await t.actors.owner();
    await project('Foreign', other);
    await endpoint({ types: ['project.deleted'] });
    await project('Unwanted');
    expect(
      await t.database.query('SELECT FROM webhook_messages WHERE tenant_id = ANY($1)', [
        [owner.tenantId, other.tenantId],
      ]),
    ).toEqual([]);
  });

  it('are signed so that the package standardwebhooks and the public key verify them', async () => {
    const { id, secret, publicKey } = await endpoint();
    await t.api.post(`${PATH}/${id}/test`).set(owner.bearer).expect(200);
    await project();
    await arrived(2);
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
    const { id, secret } = await endpoint();
    const rotate = { overlapHours: 2 };
    const { body } = await t.api.post(`${PATH}/${id}/rotate-secret`).set(owner.bearer).send(rotate).expect(200);
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
    const { secret: renewed } = body.data as Endpoint;
    await project();
    await arrived(1);
    expect(receiver.requests[0].headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+ v1,\S+ v1a,\S+$/);
    expect([secret, renewed].map((its) => fits(receiver.requests[0], its))).toEqual([true, true]);
    t.clock.advance(2 * HOUR + 1);
    owner = { ...(await t.actors.signIn(owner.user.email)), user: owner.user, tenantId: owner.tenantId };
    await project('Engine');
    await arrived(2);
    expect(receiver.requests[1].headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  it('are tried ten times over about three days, always with the same webhook-id', async () => {
    receiver.answer = answering(500);
    const its = await endpoint();
    await project();
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 10; attempt++) {
      const { nextAt } = await settled(its, 'due', attempt);
      const pause = (new Date(nextAt!).getTime() - t.clock.now().getTime()) / 1000;
      pauses.push(pause);
      later(pause + 1);
      owner = { ...(await t.actors.signIn(owner.user.email)), user: owner.user, tenantId: owner.tenantId };
    }
    const last = await settled(its, 'failed', 10);
    expect(last.nextAt).toBeNull();
    expect(receiver.requests).toHaveLength(10);
    expect(new Set(receiver.ids)).toEqual(new Set([last.messageId]));
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThan(2 * DAY);
    expect(total).toBeLessThan(4 * DAY);
    const detail = await t.api.get(`${PATH}/${its.id}/deliveries/${last.id}`).set(owner.bearer).expect(200);
    expect(detail.body.data.attempts).toHaveLength(10);
    const attempts = detail.body.data.attempts as { response: string }[];
    expect(attempts[9]).toMatchObject({
      status: 500,
      error: 'The receiver answered with the status 500.',
      response: 'status 500',
    });
    expect(attempts.slice(0, 8).every(({ response }) => response === '')).toBe(true);
    expect(attempts[8].response).toBe('status 500');
    expect(detail.body.data.body).toBe(receiver.requests[0].body);
  });

  it('are tried again when the receiver asks for it, at most a day later', async () => {
    receiver.answer = answering(503, { 'Retry-After': '7200' });
    const its = await endpoint();
    await project();
    const first = await settled(its, 'due', 1);
    expect(new Date(first.nextAt!).getTime() - t.clock.now().getTime()).toBeGreaterThan((7200 - MINUTE) * 1000);
    later(HOUR);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = answering(204);
    later(HOUR + 1);
    await arrived(2);
  });

  it('do not follow redirects', async () => {
    const elsewhere = await started();
    receiver.answer = answering(307, { Location: elsewhere.url });
    const its = await endpoint();
    await project();
    await settled(its, 'due', 1);
    expect(elsewhere.requests).toEqual([]);
  });

  it('end with a receiver that answers 410: the Owner is notified by email, too, and can replay later', async () => {
    receiver.answer = answering(410);
    const its = await endpoint();
    await project();
    const shown = await eventually(async () => {
      const { body } = await t.api.get(`${PATH}/${its.id}`).set(owner.bearer).expect(200);
      return body.data.disabledAt ? (body.data as { disabledWhy: string }) : undefined;
    }, 'a disabled endpoint');
    expect(shown.disabledWhy).toBe('gone');
    const notifications = await t.api.get('/notifications').set(owner.bearer).expect(200);
    expect(notifications.body.data.items).toMatchObject([{ kind: 'WebhookDisabled', data: { endpointId: its.id } }]);
    await untilNoJobIsLeft(t);
    const mail = await t.mailbox.titled(owner.user.email, 'A webhook of Acme was disabled');
    expect(mail.text).toContain('answered that it no longer exists');
    await project('While disabled');
    await eventually(async () => (await deliveries(its)).length === 2 || undefined, 'the second delivery');
    expect((await deliveries(its)).map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(receiver.requests).toHaveLength(1);

    receiver.answer = answering(200);
    await t.api.patch(`${PATH}/${its.id}`).set(owner.bearer).send({ enabled: true }).expect(200);
    const span = { from: new Date(t.clock.now().getTime() - 60_000), to: new Date(t.clock.now().getTime() + 60_000) };
    await t.api
      .post(`${PATH}/${its.id}/replay`)
      .set(owner.bearer)
      .send({ ...span, onlyFailed: true })
      .expect(200);
    await arrived(3);
    expect(new Set(receiver.ids).size).toBe(2);
    await eventually(async () => (await deliveries(its, '?state=delivered')).length === 2 || undefined, 'deliveries');
    await untilNoJobIsLeft(t);
    await t.api
      .post(`${PATH}/${its.id}/replay`)
      .set(owner.bearer)
      .send({ ...span, onlyFailed: true })
      .expect(200);
    await untilNoJobIsLeft(t);
    expect(receiver.requests).toHaveLength(3);
  });

  it('end after five days of nothing but failures, and not earlier', async () => {
    receiver.answer = answering(500);
    const its = await endpoint();
    const state = async () =>
      (
        await t.database.query<{ failures: number; why: string | null }>(
          'SELECT failures, disabled_why AS why FROM webhook_endpoints WHERE id = $1',
          [its.id],
        )
      )[0];
    for (let i = 0; i < 11; i++) await project(`P${i}`).catch(() => undefined);
    await t.database.query('UPDATE webhook_endpoints SET failures = 20, failing_since = $2 WHERE id = $1', [
      its.id,
      new Date(t.clock.now().getTime() - 4.9 * DAY * 1000),
    ]);
    await t.api.post(`${PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    await eventually(async () => (await state()).failures > 20 || undefined, 'another failure');
    expect((await state()).why).toBeNull();
    later(0.2 * DAY);
    expect(await eventually(async () => (await state()).why ?? undefined, 'the end')).toBe('failing');
    later(DAY);
    await eventually(async () => {
      const due = `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'due'`;
      return (await t.database.query(due, [its.id])).length === 0 || undefined;
    }, 'no delivery that is due');
    const before = receiver.requests.length;
    later(DAY);
    expect(receiver.requests).toHaveLength(before);
  });

  it('are sent again one by one, with the same webhook-id', async () => {
    const its = await endpoint();
    await project();
    const { id } = await settled(its, 'delivered', 1);
    await t.api.post(`${PATH}/${its.id}/deliveries/${id}/replay`).set(owner.bearer).expect(200);
    await arrived(2);
    expect(receiver.ids[1]).toBe(receiver.ids[0]);
    await settled(its, 'delivered', 1);
    const other = await endpoint();
    await t.api.post(`${PATH}/${other.id}/deliveries/${id}/replay`).set(owner.bearer).expect(404);
    await t.api.get(`${PATH}/${other.id}/deliveries/${id}`).set(owner.bearer).expect(404);
  });

  it('are not sent again while the endpoint is disabled, and what is due of it is given up', async () => {
    receiver.answer = answering(500);
    const its = await endpoint();
    await project();
    const { id } = await settled(its, 'due', 1);
    const enable = (enabled: boolean) =>
      t.api.patch(`${PATH}/${its.id}`).set(owner.bearer).send({ enabled }).expect(200);
    await enable(false);
    await settled(its, 'failed', 1);
    const now = t.clock.now().getTime();
    const span = { from: new Date(now - 60_000), to: new Date(now + 60_000) };
    const one = () => t.api.post(`${PATH}/${its.id}/deliveries/${id}/replay`).set(owner.bearer);
    const all = () => t.api.post(`${PATH}/${its.id}/replay`).set(owner.bearer).send(span);
    for (const replay of [one, all]) expect(codeOf(await replay().expect(409))).toBe('CONFLICT');
    await t.database.query(`UPDATE webhook_deliveries SET state = 'due', next_at = $2 WHERE id = $1`, [
      id,
      new Date(now - 1000),
    ]);
    later(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = answering(200);
    await enable(true);
    later(1);
    await settled(its, 'delivered', 2);
    await one().expect(200);
    await arrived(3);
  });

  it('of a span of 30 days at most are sent again by one job at a time', async () => {
    const its = await endpoint();
    const replay = (from: number, to: number) =>
      t.api
        .post(`${PATH}/${its.id}/replay`)
        .set(owner.bearer)
        .send({ from: new Date(from), to: new Date(to) });
    const now = t.clock.now().getTime();
    for (const [from, to] of [
      [now - 30 * DAY * 1000 - 1, now],
      [now, now],
    ])
      expect(codeOf(await replay(from, to).expect(400))).toBe('VALIDATION_ERROR');
    const answers = await Promise.all(Array.from({ length: 4 }, () => replay(now - 30 * DAY * 1000, now)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    await untilNoJobIsLeft(t);
    const waiting = `SELECT graphile_worker.add_job('replay-webhook-deliveries', job_key => $1,
      run_at => now() + interval '1 hour')`;
    const key = `replay-webhooks:${its.id}`;
    await t.database.query(waiting, [key]);
    expect(codeOf(await replay(now - 1000, now).expect(409))).toBe('CONFLICT');
    await t.database.query('SELECT graphile_worker.remove_job($1)', [key]);
    await replay(now - 1000, now).expect(200);
  });

  it('are tested and replayed at most 60 times a minute by a tenant', async () => {
    const limited = await TestApp.start({ beside: t, env: { ...LOCAL, RATE_LIMIT_PER_MINUTE: '1000' } });
    try {
      const its = await endpoint();
      const test = () => limited.api.post(`${PATH}/${its.id}/test`).set(owner.bearer);
      const answers = await Promise.all(Array.from({ length: SENDING_REQUESTS_PER_MINUTE + 2 }, test));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(SENDING_REQUESTS_PER_MINUTE);
      const now = t.clock.now().getTime();
      const span = { from: new Date(now - 1000), to: new Date(now) };
      const refused = await limited.api.post(`${PATH}/${its.id}/replay`).set(owner.bearer).send(span).expect(429);
      expect(codeOf(refused)).toBe('RATE_LIMITED');
      await limited.api.get(`${PATH}/${its.id}`).set(owner.bearer).expect(200);
    } finally {
      await limited.close();
    }
  });

  it('of a hanging receiver delay no other, and are at most four at a time', async () => {
    const hanging = await started(() => undefined);
    await endpoint({ url: hanging.url });
    const its = await endpoint();
    for (let i = 0; i < 3; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    for (let i = 0; i < 12; i++) await t.api.post(`${PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    const before = performance.now();
    await arrived(15);
    expect(performance.now() - before).toBeLessThan(5000);
    for (let i = 3; i < 9; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    await arrived(21);
    expect(hanging.mostOpen).toBe(4);
    expect(receiver.mostOpen).toBeLessThanOrEqual(4);
  });

  it('of a tenant with hanging receivers occupy eight requests, and delay no other tenant', async () => {
    const hanging = await started(() => undefined);
    for (let i = 0; i < 5; i++) await endpoint({ url: hanging.url });
    for (let i = 0; i < 8; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    await arrived(8, hanging);
    const other = await t.actors.owner();
    await endpoint({}, other);
    const before = performance.now();
    for (let i = 0; i < 3; i++) await project(`P${i}`, other);
    await arrived(3);
    expect(performance.now() - before).toBeLessThan(3000);
    expect([hanging.mostOpen, hanging.requests.length]).toEqual([8, 8]);
  });

  it('to an endpoint that was slow are sent one at a time, until it is fast again', async () => {
    const its = await endpoint();
    const send = async (count: number) => {
      receiver.mostOpen = 0;
      for (let i = 0; i < count; i++) await t.api.post(`${PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    };
    const slow = async () =>
      (
        await t.database.query<{ slow: boolean }>('SELECT is_slow AS slow FROM webhook_endpoints WHERE id = $1', [
          its.id,
        ])
      )[0].slow;
    receiver.answer = (response) => {
      setTimeout(() => response.writeHead(200).end(), 5100);
    };
    await send(1);
    await eventually(async () => (await slow()) || undefined, 'a slow endpoint', 10_000);
    await send(3);
    await arrived(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([receiver.mostOpen, receiver.requests.length]).toEqual([1, 2]);
    receiver.answer = answering(200);
    await eventually(() => receiver.requests.length === 4 || undefined, 'the others', 10_000);
    await eventually(async () => !(await slow()) || undefined, 'a fast endpoint');
  }, 30_000);

  it('that wait are counted for operators, with the time since which the first one is due', async () => {
    const its = await endpoint();
    const { deliveries: queue, unitOfWork } = parts();
    const [early, late] = [new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:05:00Z')];
    const counted: object[] = [];
    await unitOfWork.acrossTenants(async () => {
      await waiting(its, 3, late, unitOfWork);
      counted.push(await queue.late(early), await queue.late(late));
      return err(PlatformFailures.notFound); // rolls back, so that no worker sees them
    });
    expect(counted).toEqual([
      { count: 0, since: null },
      { count: 3, since: late },
    ]);
    const { text } = await t.http.get('/metrics').expect(200);
    expect(text).toMatch(/^webhook_deliveries_waiting \d+\n[^]*^webhook_delivery_lag_seconds [\d.]+\n/m);
  });

  it('to an endpoint with a rate are taken so many a second by all workers, also after a pause', async () => {
    const its = await endpoint({ perSecond: 10 });
    const start = t.clock.now().getTime() + 5 * MINUTE * 1000; // later, so that the workers of the service take none
    const { deliveries: queue, unitOfWork } = parts();
    await waiting(its, 60, new Date(start));
    const take = async (milliseconds: number): Promise<number> => {
      const [now, until] = [milliseconds, milliseconds + HOUR * 1000].map((time) => new Date(start + time));
      let count = 0;
      await unitOfWork.acrossTenants(async () => {
        const taken = await queue.takeDue({ now, until, running: [], limit: 64 });
        count = taken.filter(({ delivery }) => delivery.endpointId === its.id).length;
        return ok();
      });
      return count;
    };
    const both = async (milliseconds: number) => {
      const counts = await Promise.all([take(milliseconds), take(milliseconds)]);
      return counts[0] + counts[1];
    };
    const during = async (from: number) => {
      let count = 0;
      for (let at = from; at < from + 1000; at += 50) count += await both(at);
      return count;
    };
    expect(await both(5)).toBe(1);
    expect(await during(10)).toBe(9); // at 110, 210, …
    // a worker that looks late makes up for a second, a few requests at a time
    expect([await take(2005), await take(2006), await take(2007), await take(2008)]).toEqual([4, 4, 3, 0]);
    expect(await during(60_000)).toBe(10); // nobody looked for a minute
  });

  it('that end while their endpoint is disabled are locked in one order, so that there is no deadlock', async () => {
    const its = await endpoint();
    const at = new Date(t.clock.now().getTime() + HOUR * 1000);
    await waiting(its, 3, at);
    const { deliveries: queue, unitOfWork } = parts();
    const { tenantId } = owner;
    const rows = await t.database.query<{ id: string; until: Date }>(
      `UPDATE webhook_deliveries d SET next_at = $2::timestamptz - place * interval '1 second'
         FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM webhook_deliveries WHERE endpoint_id = $1) p
        WHERE d.id = p.id RETURNING d.id, d.next_at AS until`,
      [its.id, at],
    );
    const ids = rows.map(({ id }) => id).sort();
    const sent = rows.map(({ id, until }) => ({ delivery: { tenantId, id, attempt: 1, log: [] } as never, until }));
    let attempts = 0;
    const change = (work: () => Promise<unknown>) =>
      unitOfWork.inTenant({ tenantId }, async () => {
        attempts++;
        await work();
        return ok();
      });
    await t.database.inTheMidstOf(
      'SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE',
      [ids[1]],
      () =>
        Promise.all([
          change(() => queue.giveUp({ tenantId, id: its.id }, 10)),
          change(() => queue.storeDelivered(sent)),
        ]),
      2,
    );
    expect(attempts).toBe(2); // a deadlock would repeat one
    expect((await deliveries(its)).map(({ state }) => state)).not.toContain('due');
  });

  it('beyond 10,000 that wait for an endpoint are recorded as failed, and can be replayed', async () => {
    const its = await endpoint();
    await waiting(its, 10_000, new Date(t.clock.now().getTime() + DAY * 1000));
    await project();
    const failed = await eventually(async () => (await deliveries(its, '?state=failed'))[0], 'the failed delivery');
    const path = `${PATH}/${its.id}/deliveries/${failed.id}`;
    const { body } = await t.api.get(path).set(owner.bearer).expect(200);
    expect(body.data.attempts).toMatchObject([{ error: expect.stringContaining('too many deliveries') as string }]);
    await t.api.post(`${path}/replay`).set(owner.bearer).expect(200);
    await arrived(1);
    const last = `DELETE FROM webhook_deliveries WHERE ctid = (
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'due' LIMIT 1)`;
    await t.database.query(last, [its.id]);
    await project('Engine');
    await arrived(2);
  });

  it('of two workers are sent once each', async () => {
    const beside = await TestApp.start({ beside: t, env: LOCAL });
    try {
      const its = await endpoint();
      await Promise.all(
        Array.from({ length: 40 }, () => t.api.post(`${PATH}/${its.id}/test`).set(owner.bearer).expect(200)),
      );
      await arrived(40);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(receiver.requests).toHaveLength(40);
      expect(new Set(receiver.ids).size).toBe(40);
    } finally {
      await beside.close();
    }
  });

  it('that a worker has lost are sent by another one a minute later, with the same webhook-id', async () => {
    const its = await endpoint();
    const lost = jest
      .spyOn(t.nest.get(OutboundClient, { strict: false }), 'post')
      .mockRejectedValueOnce(new Error('killed'));
    await project();
    await eventually(() => lost.mock.calls.length === 1 || undefined, 'the first attempt');
    lost.mockRestore();
    const [{ messageId, attempt, state }] = await deliveries(its);
    expect([attempt, state]).toEqual([0, 'due']);
    later(61);
    await arrived(1);
    expect(receiver.ids).toEqual([messageId]);
  });

  it('that another worker has taken meanwhile are not recorded as delivered by the first one', async () => {
    const its = await endpoint();
    const taken = `UPDATE webhook_deliveries SET next_at = $2 WHERE endpoint_id = $1`;
    const until = new Date(t.clock.now().getTime() + HOUR * 1000);
    receiver.answer = (response, request) => {
      const takenByOther = t.database.query(taken, [its.id, until]);
      takenByOther.then(() => answering(200)(response, request)).catch(() => response.destroy());
    };
    await project();
    const other = until.toISOString();
    await eventually(async () => (await deliveries(its))[0]?.nextAt === other || undefined, 'the other worker');
    receiver.answer = answering(200);
    await t.api.post(`${PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    await settled(its, 'delivered', 1); // later than the first one
    const [, first] = await deliveries(its);
    expect(first).toMatchObject({ state: 'due', attempt: 0, nextAt: other });
  });

  it('whose event is rolled back are not sent', async () => {
    await endpoint();
    const { id } = { id: await project() };
    await arrived(1);
    const names = await t.api.patch(`/tenants/current/projects/${id}`).set(owner.bearer).send({ name: '' });
    expect(names.status).toBe(400);
    expect(await t.database.query('SELECT FROM webhook_messages WHERE tenant_id = $1', [owner.tenantId])).toHaveLength(
      1,
    );
  });

  it('are kept for 30 days', async () => {
    const its = await endpoint();
    await project();
    await settled(its, 'delivered', 1);
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
    const its = await endpoint({ types: ['invitation.created'] });
    for (const email of ['gone@example.com', 'stays@example.com'])
      await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
    await arrived(2);
    await eventually(async () => (await deliveries(its, '?state=delivered')).length === 2 || undefined, 'deliveries');
    const person = { userId: owner.user.id, emails: ['gone@example.com'], deletedTenantIds: [] };
    const erase = (leftTenantIds: string[], erasedAt: Date) =>
      t.nest
        .get(UnitOfWork)
        .acrossTenants(async () => ok(await t.nest.get(ErasureSteps).run({ ...person, leftTenantIds, erasedAt }, 100)));
    const types = async () => (await deliveries(its)).length;
    await erase([], new Date(t.clock.now().getTime() - HOUR * 1000));
    expect(await types()).toBe(2);
    await erase([], new Date(t.clock.now().getTime() + 1000));
    expect(await types()).toBe(1);
  });

  it('of a deleted endpoint end', async () => {
    receiver.answer = answering(500);
    const its = await endpoint();
    await project();
    await settled(its, 'due', 1);
    const [{ id }] = await deliveries(its);
    const purge = jest.spyOn(t.nest.get(WebhookDeliveryRepository, { strict: false }), 'removeOfDeleted');
    purge.mockRejectedValueOnce(new Error('later')); // the job is repeated, and the endpoint is hidden meanwhile
    await t.api.delete(`${PATH}/${its.id}`).set(owner.bearer).expect(200);
    for (const path of ['', '/deliveries', `/deliveries/${id}`])
      await t.api.get(`${PATH}/${its.id}${path}`).set(owner.bearer).expect(404);
    for (const path of ['/test', `/deliveries/${id}/replay`])
      await t.api.post(`${PATH}/${its.id}${path}`).set(owner.bearer).expect(404);
    expect((await t.api.get(PATH).set(owner.bearer).expect(200)).body.data.items).toEqual([]);
    await eventually(() => purge.mock.calls.length > 0 || undefined, 'the job');
    purge.mockRestore();
    await t.nest.get(CommandBus).execute(new RemoveWebhookEndpoint(owner.tenantId, its.id));
    later(MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    for (const table of ['webhook_deliveries', 'webhook_endpoints'])
      expect(await t.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [owner.tenantId])).toEqual([]);
    const kept = await endpoint();
    await t.nest.get(CommandBus).execute(new RemoveWebhookEndpoint(owner.tenantId, kept.id));
    await t.api.get(`${PATH}/${kept.id}`).set(owner.bearer).expect(200);
  });
});
