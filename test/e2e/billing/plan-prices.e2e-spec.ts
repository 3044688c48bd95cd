import type Stripe from 'stripe';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { CataloguePrices } from '../../../src/billing/catalogue/services/catalogue-prices';
import { KnownPrices } from '../../../src/billing/catalogue/services/known-prices';
import { SyncRunRepository } from '../../../src/billing/sync/data/sync-run.repository';
import { WebhookEventRepository } from '../../../src/billing/webhooks/data/webhook-event.repository';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { newSubscriber, subscriptionUpdated } from '../../support/stripe-events';
import { SyncRuns } from '../../support/sync-runs';

const WITHOUT_SETTINGS = { PROCESSOR_PRO_PRICE_ID: '', PROCESSOR_BUSINESS_PRICE_ID: '' };
const LISTING = 'GET /v1/prices';

describe('the prices of the plans', () => {
  let t: TestApp;
  let billing: Billing;
  let stripe: Stripe;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true, env: WITHOUT_SETTINGS });
    billing = new Billing(t);
    stripe = clientOf(t.processor);
  });
  afterAll(() => t.close());

  const plans = async (app = t) => (await app.api.get('/billing/plans').expect(200)).body.data.items;
  /** The prices after they have been read again. */
  const freshPlans = async (app = t) => {
    await plans(app);
    await app.nest.get(CataloguePrices, { strict: false }).find('Pro', 'month');
    return plans(app);
  };
  const listings = () => t.processor.calls.get(LISTING) ?? 0;
  const replaced = async (key: string) => {
    const [old] = (await stripe.prices.list({ lookup_keys: [key] })).data;
    const successor = await stripe.prices.create({
      product: old.product as string,
      currency: 'usd',
      unit_amount: 1234,
      recurring: { interval: 'month' },
      lookup_key: key,
      transfer_lookup_key: true,
    });
    return { old: old.id, successor: successor.id };
  };

  describe('GET /billing/plans', () => {
    it('shows amounts, trial and entitlements to everybody, from one reading of Stripe', async () => {
      const before = listings();
      const answers = await Promise.all(Array.from({ length: 20 }, () => plans()));
      expect(listings() - before).toBe(1);
      const [free, pro, business] = answers[0];
      expect(free).toMatchObject({ name: 'Free', trialDays: 0, trial: null, prices: [], available: true });
      expect(pro).toMatchObject({
        name: 'Pro',
        description: 'For growing teams',
        trialDays: 14,
        trial: { days: 14, card: 'required' },
        limits: { projects: null, keys: 50, seats: 50, invitationsPerDay: 500, auditRetentionDays: 365 },
        available: true,
      });
      const amounts = { perSeat: 600, includedSeats: 10, taxBehavior: 'exclusive' };
      expect(pro.prices).toEqual([
        { interval: 'month', currency: 'usd', amount: 2900, ...amounts },
        { interval: 'month', currency: 'eur', amount: 2700, ...amounts, perSeat: 550 },
        { interval: 'year', currency: 'usd', amount: 29_000, ...amounts, perSeat: 6000 },
        { interval: 'year', currency: 'eur', amount: 27_000, ...amounts, perSeat: 5500 },
      ]);
      expect(business.entitlements).toEqual([
        { name: 'projects', kind: 'limit', value: null },
        { name: 'keys', kind: 'limit', value: 200 },
        { name: 'seats', kind: 'limit', value: null },
        { name: 'invitationsPerDay', kind: 'limit', value: 500 },
        { name: 'auditRetentionDays', kind: 'days', value: 1095 },
        { name: 'auditExport', kind: 'feature', value: true },
        { name: 'auditStreaming', kind: 'feature', value: true },
      ]);
      expect(free.entitlements).toContainEqual({ name: 'auditExport', kind: 'feature', value: false });
    });

    it('may be kept: it has an ETag, and answers 304 to one that has it', async () => {
      const first = await t.api.get('/billing/plans').expect(200);
      expect(first.headers['cache-control']).toBe('public, max-age=300');
      expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
      const again = await t.api.get('/billing/plans').set('If-None-Match', first.headers.etag).expect(304);
      expect(again.text).toBe('');
      await t.api.get('/billing/plans').set('If-None-Match', '"other"').expect(200);
    });

    it('may be kept by shared caches: nothing in it is of one caller, and it varies by Origin', async () => {
      const limited = await TestApp.start({ beside: t, processor: true, env: { RATE_LIMIT_PER_MINUTE: '100' } });
      const ask = (path: string, headers: object) => limited.http.get(path).set({ 'X-Request-Id': 'mine', ...headers });
      const origin = { Origin: limited.settings.frontendOrigin };
      const keys = '/.well-known/jwks.json';
      for (const path of ['/api/v1/billing/plans', keys]) {
        const [own, crossOrigin] = [await ask(path, {}).expect(200), await ask(path, origin).expect(200)];
        for (const { headers } of [own, crossOrigin]) {
          expect(headers['cache-control']).toBe('public, max-age=300');
          expect(headers.vary).toMatch(/^Origin$/);
          expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
          expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
        }
        expect(own.headers).not.toHaveProperty('access-control-allow-origin');
        expect(crossOrigin.headers['access-control-allow-origin']).toBe(origin.Origin);
      }
      const kept = { 'If-None-Match': (await ask('/api/v1/billing/plans', {})).headers.etag };
      const { headers } = await ask('/api/v1/billing/plans', kept).expect(304);
      expect([headers.vary, headers['x-request-id'] === 'mine']).toEqual(['Origin', false]);
      const { headers: others } = await ask('/api/v1/health/live', {}).expect(200);
      expect(others['x-request-id']).toBe('mine');
      await limited.close();
    });

    it.each([
      ['lookup key', 'currency_options.eur', WITHOUT_SETTINGS],
      ['lookup key', 'currency_options', WITHOUT_SETTINGS],
      ['id', 'currency_options', {}],
    ])('shows prices found by %s in their own currency if Stripe refuses %s, with a warning', async (_, part, env) => {
      t.processor.refuseToExpand(part);
      const poorer = await TestApp.start({ beside: t, processor: true, env });
      const [, pro] = await plans(poorer);
      t.clock.advance(301);
      const [, again] = await freshPlans(poorer);
      t.processor.refuseToExpand(undefined);
      expect(again).toEqual(pro);
      expect(pro.prices).toMatchObject([
        { interval: 'month', currency: 'usd', amount: 2900, perSeat: 600 },
        { interval: 'year', currency: 'usd', amount: 29_000, perSeat: 6000 },
      ]);
      const owner = await t.actors.owner();
      const checkout = (currency: string) =>
        poorer.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro', currency });
      const refused = await checkout('eur').expect(400);
      expect(refused.body.error.details).toEqual({ currency: ['is not offered for this plan and interval'] });
      await checkout('usd').expect(200);
      expect(poorer.logLines.filter((line) => line.includes('stripe.expansion_refused'))).toHaveLength(1);
      await poorer.close();
    });

    it('reads Stripe again after 5 minutes, and shows the last known prices while Stripe is away', async () => {
      const known = await freshPlans();
      const before = listings();
      const { successor } = await replaced('pro_month');
      expect(await plans()).toEqual(known);
      t.clock.advance(301);
      expect(await plans()).toEqual(known); // nobody waits for the reading
      expect((await freshPlans())[1].prices[0]).toMatchObject({ amount: 1234, perSeat: null, includedSeats: null });
      expect(listings() - before).toBe(2); // the test has read once
      await t.processor.stop();
      t.clock.advance(301);
      expect((await freshPlans())[1].prices[0]).toMatchObject({ amount: 1234 });
      await t.processor.start();
      await stripe.prices.update(successor, { active: false });
      t.clock.advance(31);
      expect((await freshPlans())[1].prices.map(({ interval }: { interval: string }) => interval)).toEqual([
        'year',
        'year',
      ]);
    }, 30_000);

    it('shows what the catalogue says if Stripe was never reached, and without a key', async () => {
      const answers = [];
      for (const env of [{ PROCESSOR_API_URL: 'http://127.0.0.1:9' }, { PROCESSOR_SECRET_KEY: '' }]) {
        const alone = await TestApp.start({ beside: t, env: { ...t.processor.settings, ...WITHOUT_SETTINGS, ...env } });
        answers.push(await plans(alone));
        await alone.close();
      }
      for (const [, pro] of answers) expect(pro.prices[0]).toMatchObject({ interval: 'month', amount: 2900 });
      expect(answers.map(([, { available }]) => available)).toEqual([true, false]);
    }, 30_000);
  });

  describe('a price', () => {
    it('keeps its plan after its lookup key went to a successor, also on an instance that never saw it', async () => {
      t.clock.advance(301);
      await plans();
      const { old } = await replaced('business_year');
      const { owner, subscriber } = await billing.subscribed();
      await billing.take(subscriptionUpdated(subscriber, { price: old }));
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
      const other = await TestApp.start({ beside: t, processor: true, env: WITHOUT_SETTINGS });
      expect(other.nest.get(KnownPrices).termsOf(old)).toEqual({ plan: 'Business', interval: 'year' });
      await other.close();
    });

    it('is recognized in an event by its lookup key or its metadata', async () => {
      const marks = [{ lookup_key: 'business_month' }, { metadata: { plan: 'Business', interval: 'year' } }];
      for (const [index, mark] of marks.entries()) {
        const { owner, subscriber } = await billing.subscribed();
        const event = subscriptionUpdated(subscriber, { price: `price_marked_${index}` });
        const [item] = (event.data.object.items as { data: { price: object }[] }).data;
        Object.assign(item.price, mark);
        await billing.take(event);
        expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business' });
      }
    });

    /** Rolls the next transaction back with which a method is called. It is then repeated. */
    const deadlockOnce = <T extends object>(repository: T, method: jest.FunctionPropertyNames<T>) =>
      jest
        .spyOn(repository as Record<string, () => Promise<unknown>>, method as string)
        .mockRejectedValueOnce(Object.assign(new Error('deadlock detected'), { code: '40P01' }));
    const reports = async () =>
      Number(/^billing_unknown_prices_total (\d+)$/m.exec((await t.http.get('/metrics')).text)![1]);

    it('of no plan is named once in the log, the event, a metric and the report of the sync', async () => {
      const owner = await t.actors.owner();
      const subscriber = newSubscriber(owner.tenantId);
      const event = subscriptionUpdated(subscriber, { price: 'price_of_nobody' });
      deadlockOnce(t.nest.get(WebhookEventRepository, { strict: false }), 'store');
      await billing.take(event);
      const [{ error }] = await billing.stored(event);
      expect(error).toBe('Its price price_of_nobody belongs to no plan; plan and dates are unchanged.');
      for (const name of ['billing.price_unknown', 'stripe.event_needs_review'])
        expect(t.logLines.filter((line) => line.includes(name))).toEqual([expect.stringContaining('price_of_nobody')]);
      expect(await reports()).toBe(1);
      const foreign = await stripe.prices.create({
        product: 'prod_pro',
        currency: 'usd',
        unit_amount: 100,
        recurring: { interval: 'month' },
      });
      const other = await t.actors.owner();
      const customer = await stripe.customers.create({ metadata: { tenantId: other.tenantId } });
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customer.id,
        line_items: [{ price: foreign.id, quantity: 1 }],
        subscription_data: { metadata: { tenantId: other.tenantId } },
        success_url: 'http://localhost:5173',
      });
      await t.processor.customerActions.pay(session.url!);
      const before = await reports();
      deadlockOnce(t.nest.get(SyncRunRepository, { strict: false }), 'advance');
      await new SyncRuns(t, billing).sync();
      expect(await reports()).toBe(before + 1);
      const [run] = await t.database.query<{ prices: string[] }>(
        'SELECT unknown_prices AS prices FROM sync_runs ORDER BY id DESC LIMIT 1',
      );
      expect(run.prices).toEqual([foreign.id]);
    });
  });
});
