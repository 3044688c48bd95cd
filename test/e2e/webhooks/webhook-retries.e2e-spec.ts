import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';
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

  it('are tried ten times over about three days, always with the same webhook-id', async () => {
    receiver.answer = answering(500);
    const its = await webhooks.endpoint();
    await webhooks.project();
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 10; attempt++) {
      const { nextAt } = await webhooks.settled(its, 'due', attempt);
      const pause = (new Date(nextAt!).getTime() - t.clock.now().getTime()) / 1000;
      pauses.push(pause);
      webhooks.later(pause + 1);
      owner = await webhooks.signInAgain();
    }
    const last = await webhooks.settled(its, 'failed', 10);
    expect(last.nextAt).toBeNull();
    expect(receiver.requests).toHaveLength(10);
    expect(new Set(receiver.ids)).toEqual(new Set([last.messageId]));
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThan(2 * DAY);
    expect(total).toBeLessThan(4 * DAY);
    const detail = await t.api.get(`${WEBHOOKS_PATH}/${its.id}/deliveries/${last.id}`).set(owner.bearer).expect(200);
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
    const its = await webhooks.endpoint();
    await webhooks.project();
    const first = await webhooks.settled(its, 'due', 1);
    expect(new Date(first.nextAt!).getTime() - t.clock.now().getTime()).toBeGreaterThan((7200 - MINUTE) * 1000);
    webhooks.later(HOUR);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = answering(204);
    webhooks.later(HOUR + 1);
    await webhooks.arrived(2);
  });

  it('end with a receiver that answers 410: the Owner is notified by email, too, and can replay later', async () => {
    receiver.answer = answering(410);
    const its = await webhooks.endpoint();
    await webhooks.project();
    const shown = await eventually(async () => {
      const { body } = await t.api.get(`${WEBHOOKS_PATH}/${its.id}`).set(owner.bearer).expect(200);
      return body.data.disabledAt ? (body.data as { disabledWhy: string }) : undefined;
    }, 'a disabled endpoint');
    expect(shown.disabledWhy).toBe('gone');
    const notifications = await t.api.get('/notifications').set(owner.bearer).expect(200);
    expect(notifications.body.data.items).toMatchObject([{ kind: 'WebhookDisabled', data: { endpointId: its.id } }]);
    await untilNoJobIsLeft(t);
    const mail = await t.mailbox.titled(owner.user.email, 'A webhook of Acme was disabled');
    expect(mail.text).toContain('answered that it no longer exists');
    await webhooks.project('While disabled');
    await eventually(async () => (await webhooks.deliveries(its)).length === 2 || undefined, 'the second delivery');
    expect((await webhooks.deliveries(its)).map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(receiver.requests).toHaveLength(1);

    receiver.answer = answering(200);
    await t.api.patch(`${WEBHOOKS_PATH}/${its.id}`).set(owner.bearer).send({ enabled: true }).expect(200);
    const span = { from: new Date(t.clock.now().getTime() - 60_000), to: new Date(t.clock.now().getTime() + 60_000) };
    await t.api
      .post(`${WEBHOOKS_PATH}/${its.id}/replay`)
      .set(owner.bearer)
      .send({ ...span, onlyFailed: true })
      .expect(200);
    await webhooks.arrived(3);
    expect(new Set(receiver.ids).size).toBe(2);
    await eventually(
      async () => (await webhooks.deliveries(its, '?state=delivered')).length === 2 || undefined,
      'deliveries',
    );
    await untilNoJobIsLeft(t);
    await t.api
      .post(`${WEBHOOKS_PATH}/${its.id}/replay`)
      .set(owner.bearer)
      .send({ ...span, onlyFailed: true })
      .expect(200);
    await untilNoJobIsLeft(t);
    expect(receiver.requests).toHaveLength(3);
  });

  it('end after five days of nothing but failures, and not earlier', async () => {
    receiver.answer = answering(500);
    const its = await webhooks.endpoint();
    const state = async () =>
      (
        await t.database.query<{ failures: number; why: string | null }>(
          'SELECT failures, disabled_why AS why FROM webhook_endpoints WHERE id = $1',
          [its.id],
        )
      )[0];
    for (let i = 0; i < 11; i++) await webhooks.project(`P${i}`).catch(() => undefined);
    await t.database.query('UPDATE webhook_endpoints SET failures = 20, failing_since = $2 WHERE id = $1', [
      its.id,
      new Date(t.clock.now().getTime() - 4.9 * DAY * 1000),
    ]);
    await t.api.post(`${WEBHOOKS_PATH}/${its.id}/test`).set(owner.bearer).expect(200);
    await eventually(async () => (await state()).failures > 20 || undefined, 'another failure');
    expect((await state()).why).toBeNull();
    webhooks.later(0.2 * DAY);
    expect(await eventually(async () => (await state()).why ?? undefined, 'the end')).toBe('failing');
    webhooks.later(DAY);
    await eventually(async () => {
      const due = `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'due'`;
      return (await t.database.query(due, [its.id])).length === 0 || undefined;
    }, 'no delivery that is due');
    const before = receiver.requests.length;
    webhooks.later(DAY);
    expect(receiver.requests).toHaveLength(before);
  });

  it('are sent again one by one, with the same webhook-id', async () => {
    const its = await webhooks.endpoint();
    await webhooks.project();
    const { id } = await webhooks.settled(its, 'delivered', 1);
    await t.api.post(`${WEBHOOKS_PATH}/${its.id}/deliveries/${id}/replay`).set(owner.bearer).expect(200);
    await webhooks.arrived(2);
    expect(receiver.ids[1]).toBe(receiver.ids[0]);
    await webhooks.settled(its, 'delivered', 1);
    const other = await webhooks.endpoint();
    await t.api.post(`${WEBHOOKS_PATH}/${other.id}/deliveries/${id}/replay`).set(owner.bearer).expect(404);
    await t.api.get(`${WEBHOOKS_PATH}/${other.id}/deliveries/${id}`).set(owner.bearer).expect(404);
  });

  it('are not sent again while the endpoint is disabled, and what is due of it is given up', async () => {
    receiver.answer = answering(500);
    const its = await webhooks.endpoint();
    await webhooks.project();
    const { id } = await webhooks.settled(its, 'due', 1);
    const enable = (enabled: boolean) =>
      t.api.patch(`${WEBHOOKS_PATH}/${its.id}`).set(owner.bearer).send({ enabled }).expect(200);
    await enable(false);
    await webhooks.settled(its, 'failed', 1);
    const now = t.clock.now().getTime();
    const span = { from: new Date(now - 60_000), to: new Date(now + 60_000) };
    const one = () => t.api.post(`${WEBHOOKS_PATH}/${its.id}/deliveries/${id}/replay`).set(owner.bearer);
    const all = () => t.api.post(`${WEBHOOKS_PATH}/${its.id}/replay`).set(owner.bearer).send(span);
    for (const replay of [one, all]) expect(codeOf(await replay().expect(409))).toBe('CONFLICT');
    await t.database.query(`UPDATE webhook_deliveries SET state = 'due', next_at = $2 WHERE id = $1`, [
      id,
      new Date(now - 1000),
    ]);
    webhooks.later(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = answering(200);
    await enable(true);
    webhooks.later(1);
    await webhooks.settled(its, 'delivered', 2);
    await one().expect(200);
    await webhooks.arrived(3);
  });

  it('of a span of 30 days at most are sent again by one job at a time', async () => {
    const its = await webhooks.endpoint();
    const replay = (from: number, to: number) =>
      t.api
        .post(`${WEBHOOKS_PATH}/${its.id}/replay`)
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

  it('beyond 10,000 that wait for an endpoint are recorded as failed, and can be replayed', async () => {
    const its = await webhooks.endpoint();
    await webhooks.waiting(its, 10_000, new Date(t.clock.now().getTime() + DAY * 1000));
    await webhooks.project();
    const failed = await eventually(
      async () => (await webhooks.deliveries(its, '?state=failed'))[0],
      'the failed delivery',
    );
    const path = `${WEBHOOKS_PATH}/${its.id}/deliveries/${failed.id}`;
    const { body } = await t.api.get(path).set(owner.bearer).expect(200);
    expect(body.data.attempts).toMatchObject([{ error: expect.stringContaining('too many deliveries') as string }]);
    await t.api.post(`${path}/replay`).set(owner.bearer).expect(200);
    await webhooks.arrived(1);
    const delivered = async () => (await webhooks.deliveries(its, '?state=delivered')).length === 1;
    await eventually(delivered, 'the outcome of the replay'); // until then it waits, too
    const last = `DELETE FROM webhook_deliveries WHERE ctid = (
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'due' LIMIT 1)`;
    await t.database.query(last, [its.id]);
    await webhooks.project('Engine');
    await webhooks.arrived(2);
  });
});
