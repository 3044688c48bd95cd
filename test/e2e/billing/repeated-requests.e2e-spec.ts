import { randomUUID } from 'node:crypto';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

/** How often Stripe's package sends a request that fails. */
const ATTEMPTS = 3;

/** As if the process had died after the effect, before it stored the answer, a minute ago. */
const LOSE_ANSWERS = `UPDATE idempotency_keys SET status = NULL, answer = NULL, claimed_until = created_at`;

describe('a billing request with an Idempotency-Key', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const post = (by: Member, path: string, key: string, body: object = {}) =>
    t.api.post(`/billing/${path}`).set(by.bearer).set('Idempotency-Key', key).send(body);
  const paying = async (): Promise<Member> => {
    const owner = await t.actors.owner();
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    return owner;
  };

  it('creates one checkout, under a hash of the key at Stripe', async () => {
    const [owner, key] = [await t.actors.owner(), randomUUID()];
    const before = billing.postsTo('/v1/checkout/sessions').length;
    const first = await post(owner, 'checkout', key, { planName: 'Pro' }).expect(200);
    const again = await post(owner, 'checkout', key, { planName: 'Pro' }).expect(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await t.database.query(LOSE_ANSWERS);
    const resumed = await post(owner, 'checkout', key, { planName: 'Pro' }).expect(200);
    expect(resumed.text).toBe(first.text);
    expect(resumed.headers).not.toHaveProperty('idempotency-replayed');
    const created = billing.postsTo('/v1/checkout/sessions').slice(before);
    expect(created).toHaveLength(1);
    expect(created[0].idempotencyKey).toMatch(/^[\w-]{43}-\w{8}-[\w-]{32}$/);
    expect(created[0].idempotencyKey).not.toContain(key);
  });

  it('opens one session of the portal, also if the answer was never stored', async () => {
    const [owner, key] = [await paying(), randomUUID()];
    const first = await post(owner, 'portal', key).expect(200);
    await t.database.query(LOSE_ANSWERS);
    const second = await post(owner, 'portal', key).expect(200);
    expect(second.text).toBe(first.text);
    await t.database.query(LOSE_ANSWERS);
    const other = await post(owner, 'portal', randomUUID()).expect(200);
    expect(other.text).not.toBe(first.text);
  });

  it('changes the plan once, and repeats the answer', async () => {
    const [owner, key] = [await paying(), randomUUID()];
    const change = () => post(owner, 'change', key, { planName: 'Business', when: 'now' });
    const first = await change().expect(200);
    const again = await change().expect(200);
    expect(again.text).toBe(first.text);
    const id = (await billing.subscription(owner)).processorSubscriptionId!;
    expect(billing.postsTo(`/v1/subscriptions/${id}`)).toHaveLength(1);
    await t.database.query(LOSE_ANSWERS);
    expect(codeOf(await change().expect(409))).toBe('SAME_PLAN'); // it was changed already
    expect(billing.postsTo(`/v1/subscriptions/${id}`)).toHaveLength(1);
  });

  it('is executed again after Stripe was unavailable', async () => {
    const [owner, key] = [await t.actors.owner(), randomUUID()];
    const before = billing.postsTo('/v1/checkout/sessions').length;
    t.processor.injectFault('error', ATTEMPTS, 'POST /v1/checkout/sessions');
    expect(codeOf(await post(owner, 'checkout', key, { planName: 'Pro' }).expect(503))).toBe('BILLING_UNAVAILABLE');
    await post(owner, 'checkout', key, { planName: 'Pro' }).expect(200);
    // Stripe repeats the answers to a key, also a 500: so it is another one
    const keys = billing.postsTo('/v1/checkout/sessions').slice(before);
    expect(new Set(keys.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });
});
