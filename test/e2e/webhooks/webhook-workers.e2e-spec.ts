import { HOUR, MINUTE } from '../../../src/platform/clock';
import { newIdAt } from '../../../src/platform/ids';
import { OutboundClient } from '../../../src/platform/outbound/outbound-client';
import { PlatformFailures } from '../../../src/platform/platform.failures';
import { err, ok } from '../../../src/platform/result';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { WEBHOOKS_PATH, WITH_LOCAL_RECEIVERS, WebhookDeliveries } from '../../support/webhook-deliveries';
import { answering, type WebhookReceiver } from '../../support/webhook-receiver';

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

  it('of a hanging receiver delay no other, and are at most four at a time', async () => {
    const hanging = await webhooks.startReceiver(() => undefined);
    await webhooks.endpoint({ url: hanging.url });
    const its = await webhooks.endpoint();
    for (let i = 0; i < 3; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    for (let i = 0; i < 12; i++) await t.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    const before = performance.now();
    await webhooks.arrived(15);
    expect(performance.now() - before).toBeLessThan(5000);
    for (let i = 3; i < 9; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    await webhooks.arrived(21);
    expect(hanging.mostOpen).toBe(4);
    expect(receiver.mostOpen).toBeLessThanOrEqual(4);
  });

  it('of a tenant with hanging receivers occupy eight requests, and delay no other tenant', async () => {
    const hanging = await webhooks.startReceiver(() => undefined);
    for (let i = 0; i < 5; i++) await webhooks.endpoint({ url: hanging.url });
    for (let i = 0; i < 8; i++)
      await t.api
        .patch('/tenants/current')
        .set(owner.bearer)
        .send({ name: `T${i}` })
        .expect(200);
    await webhooks.arrived(8, hanging);
    const other = await t.actors.owner();
    await webhooks.endpoint({}, other);
    const before = performance.now();
    for (let i = 0; i < 3; i++) await webhooks.project(`P${i}`, other);
    await webhooks.arrived(3);
    expect(performance.now() - before).toBeLessThan(3000);
    expect([hanging.mostOpen, hanging.requests.length]).toEqual([8, 8]);
  });

  it('to an endpoint that was slow are sent one at a time, until it is fast again', async () => {
    const its = await webhooks.endpoint();
    const send = async (count: number) => {
      receiver.mostOpen = 0;
      for (let i = 0; i < count; i++) await t.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer).expect(200);
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
    await webhooks.arrived(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([receiver.mostOpen, receiver.requests.length]).toEqual([1, 2]);
    receiver.answer = answering(200);
    await eventually(() => receiver.requests.length === 4 || undefined, 'the others', 10_000);
    await eventually(async () => !(await slow()) || undefined, 'a fast endpoint');
  }, 30_000);

  it('that wait are counted for operators, with the time since which the first one is due', async () => {
    const its = await webhooks.endpoint();
    const { deliveries: queue, unitOfWork } = webhooks.parts;
    const [early, late] = [new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:05:00Z')];
    const counted: object[] = [];
    await unitOfWork.acrossTenants(async () => {
      await webhooks.waiting(its, 3, late, unitOfWork);
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

  it('whose deliveries are not created yet are counted, too', async () => {
    const its = await webhooks.endpoint();
    const { deliveries: queue, unitOfWork } = webhooks.parts;
    const [early, late] = [new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:05:00Z')];
    const counted: object[] = [];
    await unitOfWork.acrossTenants(async () => {
      await webhooks.waiting(its, 1, late, unitOfWork);
      const message = `INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
                       VALUES ($1, $2, 'project.created', '{}', true)`;
      for (const at of [late, early]) await unitOfWork.query(message, [owner.tenantId, newIdAt(at)]);
      counted.push(await queue.late(late));
      return err(PlatformFailures.notFound); // rolls back, so that no worker sees them
    });
    expect(counted).toEqual([{ count: 3, since: early }]);
  });

  it('to an endpoint with a rate are taken so many a second by all workers, also after a pause', async () => {
    const its = await webhooks.endpoint({ perSecond: 10 });
    const start = t.clock.now().getTime() + 5 * MINUTE * 1000; // later, so that the workers of the service take none
    const { deliveries: queue, unitOfWork } = webhooks.parts;
    await webhooks.waiting(its, 60, new Date(start));
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
    const its = await webhooks.endpoint();
    const at = new Date(t.clock.now().getTime() + HOUR * 1000);
    await webhooks.waiting(its, 3, at);
    const { deliveries: queue, unitOfWork } = webhooks.parts;
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
          change(() => queue.giveUp({ tenantId, id: its.id, isDisabled: true }, 10)),
          change(() => queue.storeDelivered(sent)),
        ]),
      2,
    );
    expect(attempts).toBe(2); // a deadlock would repeat one
    expect((await webhooks.deliveries(its)).map(({ state }) => state)).not.toContain('due');
  });

  it('of two workers are sent once each', async () => {
    const beside = await TestApp.start({ beside: t, env: WITH_LOCAL_RECEIVERS });
    try {
      const its = await webhooks.endpoint();
      await Promise.all(
        Array.from({ length: 40 }, () => t.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer).expect(200)),
      );
      await webhooks.arrived(40);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(receiver.requests).toHaveLength(40);
      expect(new Set(receiver.ids).size).toBe(40);
    } finally {
      await beside.close();
    }
  });

  it('that a worker has lost are sent by another one a minute later, with the same webhook-id', async () => {
    const its = await webhooks.endpoint();
    const lost = jest
      .spyOn(t.nest.get(OutboundClient, { strict: false }), 'post')
      .mockRejectedValueOnce(new Error('killed'));
    await webhooks.project();
    await eventually(() => lost.mock.calls.length === 1 || undefined, 'the first attempt');
    lost.mockRestore();
    const [{ messageId, attempt, state }] = await webhooks.deliveries(its);
    expect([attempt, state]).toEqual([0, 'due']);
    webhooks.later(61);
    await webhooks.arrived(1);
    expect(receiver.ids).toEqual([messageId]);
  });

  it('that another worker has taken meanwhile are not recorded as delivered by the first one', async () => {
    const its = await webhooks.endpoint();
    const taken = `UPDATE webhook_deliveries SET next_at = $2 WHERE endpoint_id = $1`;
    const until = new Date(t.clock.now().getTime() + HOUR * 1000);
    receiver.answer = (response, request) => {
      const takenByOther = t.database.query(taken, [its.id, until]);
      takenByOther.then(() => answering(200)(response, request)).catch(() => response.destroy());
    };
    await webhooks.project();
    const other = until.toISOString();
    await eventually(
      async () => (await webhooks.deliveries(its))[0]?.nextAt === other || undefined,
      'the other worker',
    );
    receiver.answer = answering(200);
    await t.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    await webhooks.settled(its, 'delivered', 1); // later than the first one
    const [, first] = await webhooks.deliveries(its);
    expect(first).toMatchObject({ state: 'due', attempt: 0, nextAt: other });
  });
});
