import { STRIPE_REQUESTS_PER_MINUTE } from '../../../src/billing/http/calls-stripe.decorator';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

describe('invoices and payment method', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const get = (by: Member, path: string) => t.api.get(`/billing/${path}`).set(by.bearer);
  const subscriber = async (): Promise<Member> => {
    const owner = await t.actors.owner();
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.processor.drain();
    return owner;
  };

  it('are empty before the first checkout, and for a customer that Stripe does not know', async () => {
    for (const owner of [await t.actors.owner(), await billing.subscribedOffline()]) {
      expect((await get(owner, 'invoices').expect(200)).body.data).toEqual({ items: [], nextCursor: null });
      expect((await get(owner, 'payment-method').expect(200)).body.data).toEqual({ onFile: null });
    }
  });

  it('lists the invoices of the tenant only, by pages', async () => {
    const [owner, stranger] = [await subscriber(), await subscriber()];
    await t.processor.advance(50 * 86_400);
    await t.processor.drain();
    const { items } = (await get(owner, 'invoices').expect(200)).body.data;
    expect(items.length).toBeGreaterThan(1);
    expect(items[0]).toMatchObject({
      id: expect.stringMatching(/^in_/),
      number: expect.any(String),
      currency: 'usd',
      status: 'paid',
      amount: 2900,
    });
    const first = (await get(owner, 'invoices?limit=1').expect(200)).body.data;
    expect(first).toEqual({ items: [items[0]], nextCursor: items[0].id });
    const second = (await get(owner, `invoices?limit=1&cursor=${first.nextCursor}`).expect(200)).body.data;
    expect(second.items).toEqual([items[1]]);
    const foreign = (await get(stranger, 'invoices').expect(200)).body.data.items as { id: string }[];
    expect(foreign.map(({ id }) => id)).not.toContain(items[0].id);
    expect(codeOf(await get(owner, 'invoices?cursor=in_unknown').expect(400))).toBe('VALIDATION_ERROR');
    await get(owner, 'invoices?cursor=cus_1').expect(400);
  }, 30_000);

  it('shows the card on file', async () => {
    const owner = await subscriber();
    expect((await get(owner, 'payment-method').expect(200)).body.data.onFile).toMatchObject({
      brand: 'visa',
      last4: '4242',
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
    });
  });

  it('are not for members without the permission, and unavailable while Stripe is away', async () => {
    const owner = await subscriber();
    const member = await t.actors.member(owner);
    await t.processor.stop();
    for (const path of ['invoices', 'payment-method']) {
      await get(member, path).expect(403);
      expect(codeOf(await get(owner, path).expect(503))).toBe('BILLING_UNAVAILABLE');
    }
    await t.processor.start();
  }, 60_000);

  it('are read for a tenant at most 60 times a minute, because all tenants share the limit of Stripe', async () => {
    const limited = await TestApp.start({ beside: t, processor: true, env: { RATE_LIMIT_PER_MINUTE: '1000' } });
    const [owner, stranger] = [await subscriber(), await subscriber()];
    const read = (by: Member) => limited.api.get('/billing/invoices').set(by.bearer);
    const answers = await Promise.all(Array.from({ length: STRIPE_REQUESTS_PER_MINUTE + 2 }, () => read(owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(STRIPE_REQUESTS_PER_MINUTE);
    const refused = answers.find(({ status }) => status === 429)!;
    expect([codeOf(refused), Number(refused.headers['retry-after']) > 0]).toEqual(['RATE_LIMITED', true]);
    await limited.api.post('/billing/cancel').set(owner.bearer).expect(429);
    await limited.api.get('/billing/subscription').set(owner.bearer).expect(200); // it does not call Stripe
    await read(stranger).expect(200);
    await limited.close();
  }, 30_000);
});
