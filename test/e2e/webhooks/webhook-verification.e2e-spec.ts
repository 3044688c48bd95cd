import { Webhook } from 'standardwebhooks';
import { MINUTE } from '../../../src/platform/clock';
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
import { answering, type WebhookReceiver } from '../../support/webhook-receiver';

const STREAMS = '/tenants/current/audit-streams';

describe('the verification of webhook endpoints', () => {
  let t: TestApp;
  let webhooks: WebhookDeliveries;
  let receiver: WebhookReceiver;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: WITH_LOCAL_RECEIVERS });
  });
  beforeEach(async () => {
    await t.database.query('DELETE FROM webhook_messages'); // challenges of other tests
    await t.database.query('DELETE FROM receiver_hosts');
    webhooks = await WebhookDeliveries.start(t);
    ({ owner, receiver } = webhooks);
  });
  afterEach(() => webhooks.stop());
  afterAll(() => t.close());

  const shown = async ({ id }: NewEndpoint, by = owner) =>
    (await t.api.get(`${WEBHOOKS_PATH}/${id}`).set(by.bearer).expect(200)).body.data as { verifiedAt: string | null };
  const verified = (its: NewEndpoint, by = owner) =>
    eventually(async () => ((await shown(its, by)).verifiedAt ? true : undefined), 'a verified endpoint');
  const ask = ({ id }: NewEndpoint, by = owner) => t.api.post(`${WEBHOOKS_PATH}/${id}/verify`).set(by.bearer);
  const change = ({ id }: NewEndpoint, changes: object) =>
    t.api.patch(`${WEBHOOKS_PATH}/${id}`).set(owner.bearer).send(changes);
  const typesOfTenant = async () =>
    t.database.query('SELECT webhook_types FROM tenants WHERE id = $1', [owner.tenantId]);
  const rows = async () => t.database.query('SELECT FROM webhook_messages WHERE tenant_id = $1', [owner.tenantId]);

  it('sends one signed challenge first, and events after its answer', async () => {
    receiver.answersChallenges = false;
    receiver.answer = (response, { body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { challenge: string } };
      response.end(type === 'webhook.verification' ? JSON.stringify({ challenge: data.challenge }) : 'ok');
    };
    const its = await webhooks.unverified();
    expect(its).toMatchObject({ verifiedAt: null });
    await verified(its);
    await webhooks.project();
    await webhooks.arrived(2);
    expect(receiver.events.map(({ type }) => type)).toEqual(['webhook.verification', 'project.created']);
    expect(receiver.events[0].data).toEqual({ endpointId: its.id, challenge: expect.any(String) as string });
    const [{ headers, body }] = receiver.requests;
    expect(new Webhook(its.secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    await ask(its).expect(200); // nothing to do
    expect(await webhooks.deliveries(its)).toHaveLength(2);
  });

  it.each([
    ['500', answering(500)],
    ['200 with another body', answering(200)],
    ['200 with what it got', (response, { body }) => response.end(body)],
  ])('sends nothing else, and stores nothing, after an answer of %s', async (_, answer) => {
    Object.assign(receiver, { answer, answersChallenges: false });
    const its = await webhooks.unverified();
    await webhooks.settled(its, 'failed', 1);
    for (let count = 0; count < 2; count++) await webhooks.project();
    for (const path of ['test', `deliveries/${(await webhooks.deliveries(its))[0].id}/replay`])
      expect(codeOf(await t.api.post(`${WEBHOOKS_PATH}/${its.id}/${path}`).set(owner.bearer).expect(409))).toBe(
        'CONFLICT',
      );
    const span = { from: new Date(0).toISOString(), to: new Date(1000).toISOString() };
    await t.api.post(`${WEBHOOKS_PATH}/${its.id}/replay`).set(owner.bearer).send(span).expect(409);
    webhooks.later(10 * MINUTE);
    await t.actors.owner();
    expect(receiver.requests).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    expect(await typesOfTenant()).toEqual([{ webhook_types: null }]);
    owner = await webhooks.signInAgain();
    expect(await shown(its)).toMatchObject({ verifiedAt: null });
  });

  it('is asked for again, once a minute', async () => {
    Object.assign(receiver, { answer: answering(500), answersChallenges: false });
    const its = await webhooks.unverified();
    await webhooks.settled(its, 'failed', 1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(its)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await webhooks.deliveries(its)).toHaveLength(2);
    webhooks.later(MINUTE - 10);
    expect(receiver.requests).toHaveLength(1);
    receiver.answersChallenges = true;
    webhooks.later(11);
    owner = await webhooks.signInAgain();
    await verified(its);
    await change(its, { enabled: false }).expect(200);
    await change(its, { url: `${receiver.url}/moved` }).expect(200);
    expect(codeOf(await ask(its).expect(409))).toBe('CONFLICT');
    await change(its, { enabled: true }).expect(200);
    webhooks.later(MINUTE + 1);
    owner = await webhooks.signInAgain();
    await verified(its);
    const stranger = await t.actors.owner();
    await ask(its, stranger).expect(404);
    expect(codeOf(await ask(its, await t.actors.member(owner, 'Member')).expect(403))).toBe('FORBIDDEN');
  });

  it('is needed again at another address, which gets nothing of what waits', async () => {
    const its = await webhooks.endpoint();
    const elsewhere = await webhooks.startReceiver();
    elsewhere.answersChallenges = false;
    await webhooks.waiting(its, 3, new Date(t.clock.now().getTime() + 1000));
    await t.database.query('DELETE FROM receiver_hosts');
    await change(its, { url: elsewhere.url }).expect(200);
    await webhooks.arrived(1, elsewhere);
    webhooks.later(2);
    await eventually(async () => {
      const states = (await webhooks.deliveries(its)).map(({ state }) => state);
      return states.every((state) => state === 'failed') || undefined;
    }, 'deliveries that are given up');
    await webhooks.project();
    expect(elsewhere.events.map(({ type }) => type)).toEqual(['webhook.verification']);
    expect(receiver.requests).toEqual([]);
    await change(its, { description: 'Same address', url: elsewhere.url }).expect(200);
    expect(elsewhere.requests).toHaveLength(1);
  });

  it('shares one request a minute of a host that never answered, over all tenants and streams', async () => {
    Object.assign(receiver, { answer: answering(404), answersChallenges: false });
    const business = await t.actors.owner({ plan: 'Business' });
    const all = [];
    for (const by of [owner, business])
      for (const path of ['a', 'b', 'c']) all.push(await webhooks.unverified({ url: `${receiver.url}/${path}` }, by));
    const { body } = await t.api.post(STREAMS).set(business.bearer).send({ url: receiver.url }).expect(200);
    const test = () => t.api.post(`${STREAMS}/${body.data.id as string}/test`).set(business.bearer);
    await webhooks.arrived(1);
    const refused = await test().expect(429);
    expect([codeOf(refused), refused.headers['retry-after']]).toEqual(['RATE_LIMITED', '60']);
    for (const its of all.slice(0, 3)) await ask(its).expect(200);
    for (let minute = 2; minute <= 4; minute++) {
      webhooks.later(MINUTE / 2);
      webhooks.later(MINUTE / 2 + 1);
      await webhooks.arrived(minute);
    }
    expect(receiver.requests).toHaveLength(4);
  });

  it('waits for nobody at a host that has answered a challenge', async () => {
    await verified(await webhooks.unverified());
    const other = await t.actors.owner();
    const those = [];
    for (const path of ['a', 'b', 'c'])
      those.push(await webhooks.unverified({ url: `${receiver.url}/${path}` }, other));
    for (const its of those) await verified(its, other);
  });
});
