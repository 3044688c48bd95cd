import type Stripe from 'stripe';
import { newCheckout, subscribed } from './stand-in-checkouts';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const DAY = 24 * 60 * 60;
/** A month of 30 days. */
const NOVEMBER = new Date('2026-11-01T00:00:00Z');

describe('The stand-in', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;

  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true, seed: 7, wallClock: () => NOVEMBER });
    await processor.start();
    stripe = clientOf(processor);
  });

  afterEach(async () => {
    await processor.stop();
    expect(processor.violations).toEqual([]);
  });

  const amounts = ({ lines }: Stripe.Invoice) => lines.data.map(({ amount }) => amount);
  const latest = async ({ id }: Stripe.Subscription) => (await stripe.invoices.list({ subscription: id })).data[0];

  describe('previews invoices', () => {
    const preview = (
      { id, items }: Stripe.Subscription,
      item: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.Item = {},
      details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {},
    ) =>
      stripe.invoices.createPreview({
        subscription: id,
        subscription_details: { items: [{ id: items.data[0].id, ...item }], ...details },
      });

    it('of the next period, with what a change would add', async () => {
      const subscription = await subscribed(processor, stripe);
      await processor.advance(15 * DAY);
      const next = await preview(subscription, { quantity: 12 });
      expect(amounts(next)).toEqual([-1450, 2050, 4100]);
      const end = subscription.items.data[0].current_period_end;
      expect(next).toMatchObject({ status: 'draft', billing_reason: 'upcoming', total: 4700, created: end });
      expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0].quantity).toBe(1);
      await stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0].id, quantity: 12 }],
      });
      await processor.advance(15 * DAY);
      expect(amounts(await latest(subscription))).toEqual(amounts(next));
    });

    it('that are charged at once: as asked for, for another interval and at the end of the trial', async () => {
      const subscription = await subscribed(processor, stripe);
      await processor.advance(15 * DAY);
      const price = 'price_business_monthly';
      expect(amounts(await preview(subscription, { price }, { proration_behavior: 'always_invoice' }))).toEqual([
        -1450, 4950,
      ]);
      expect(amounts(await preview(subscription, { price }, { proration_behavior: 'none' }))).toEqual([9900]);
      const yearly = await preview(subscription, { price: 'price_pro_yearly' });
      expect(amounts(yearly)).toEqual([-1450, 29_000]);
      expect(yearly.created).toBe(NOVEMBER.getTime() / 1000 + 15 * DAY);
      const trial = await subscribed(processor, stripe, { subscription_data: { trial_period_days: 14 } });
      expect(amounts(await preview(trial, { quantity: 12 }))).toEqual([4100]);
      const now = await preview(trial, {}, { trial_end: 'now' });
      expect([now.total, now.created]).toEqual([2900, NOVEMBER.getTime() / 1000 + 15 * DAY]);
    });

    it('only if there will be one', async () => {
      const subscription = await subscribed(processor, stripe);
      const none = await failureOf(preview(subscription, {}, { cancel_at_period_end: true }));
      expect(none).toMatchObject({ code: 'invoice_upcoming_none', statusCode: 404 });
      expect((await failureOf(preview(subscription, { price: 'price_none' })))!.code).toBe('resource_missing');
      expect((await failureOf(stripe.invoices.createPreview({})))!.param).toBe('subscription');
    });
  });

  it('lists invoices in pages, each with an address and a PDF', async () => {
    const subscription = await subscribed(processor, stripe);
    await processor.advance(70 * DAY);
    const { customer } = subscription;
    const first = await stripe.invoices.list({ customer: customer as string, status: 'paid', limit: 2 });
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await stripe.invoices.list({ customer: customer as string, starting_after: first.data[1].id });
    expect(rest).toMatchObject({ data: [{ number: 'LOCAL-0001', total: 2900, currency: 'usd' }], has_more: false });
    const [{ hosted_invoice_url: page, invoice_pdf: pdf }] = rest.data;
    expect(await (await fetch(page!)).text()).toMatch(/Invoice LOCAL-0001[^]*1 × Pro \(per month\): 29.00 USD/);
    const file = await fetch(pdf!);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    const content = Buffer.from(await file.arrayBuffer()).toString('latin1');
    expect(content).toMatch(/^%PDF-1\.4[^]*\(Amount due: 29\.00 USD\)[^]*%%EOF\n$/);
    const table = Number(/startxref\n(\d+)/.exec(content)![1]);
    expect(content.slice(table, table + 4)).toBe('xref');
    expect((await fetch(`${processor.url}/invoice/in_none`)).status).toBe(404);
    expect((await fetch(`${processor.url}/invoice/in_none/pdf`)).status).toBe(404);
  });

  describe('knows the card of a customer', () => {
    const cardOf = async (customer: Stripe.Subscription['customer']) =>
      (await stripe.customers.listPaymentMethods(customer as string, { type: 'card' })).data[0]?.card;

    it('from the checkout and from the portal', async () => {
      const { customer, default_payment_method: id } = await subscribed(processor, stripe);
      expect(await cardOf(customer)).toMatchObject({ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 });
      const expanded = { expand: ['invoice_settings.default_payment_method'] };
      expect(await stripe.customers.retrieve(customer as string, expanded)).toMatchObject({
        invoice_settings: { default_payment_method: { id, card: { last4: '4242' } } },
      });
      expect((await stripe.paymentMethods.retrieve(id as string)).customer).toBe(customer);
      await processor.customerActions.useCard(customer as string, 'declining');
      expect((await cardOf(customer))!.last4).toBe('0341');
      expect((await failureOf(stripe.paymentMethods.retrieve(id as string)))!.code).toBe('resource_missing');
    });

    it('who has none', async () => {
      const { id } = await stripe.customers.create({});
      expect(await cardOf(id)).toBeUndefined();
      expect(await stripe.customers.retrieve(id)).toMatchObject({ invoice_settings: { default_payment_method: null } });
      expect((await failureOf(stripe.customers.listPaymentMethods('cus_none')))!.code).toBe('resource_missing');
    });
  });

  describe('starts a trial', () => {
    const trial = (missing: 'pause' | 'cancel' | 'create_invoice') =>
      ({
        payment_method_collection: 'if_required',
        subscription_data: {
          trial_period_days: 14,
          trial_settings: { end_behavior: { missing_payment_method: missing } },
        },
      }) as const;

    it.each([
      ['pause', 'paused', 'customer.subscription.paused'],
      ['cancel', 'canceled', 'customer.subscription.deleted'],
      ['create_invoice', 'past_due', 'invoice.payment_failed'],
    ] as const)('without a card, and at its end the behavior is: %s', async (missing, status, type) => {
      const session = await newCheckout(stripe, trial(missing));
      expect(await (await fetch(session.url!)).text()).toContain('Start without a card');
      await fetch(session.url!, {
        method: 'POST',
        body: new URLSearchParams({ action: 'no-card' }),
        redirect: 'manual',
      });
      const [subscription] = processor.subscriptions();
      expect(subscription).toMatchObject({ status: 'trialing', default_payment_method: null });
      await processor.advance(14 * DAY);
      expect(processor.subscription(subscription.id)!.status).toBe(status);
      expect(processor.events().map((event) => event.type)).toContain(type);
    });

    it('that continues when a card was added in time, or when the pause ends', async () => {
      const [one, other] = [await newCheckout(stripe, trial('pause')), await newCheckout(stripe, trial('pause'))];
      for (const { id } of [one, other]) await processor.customerActions.pay(id, null);
      await processor.customerActions.useCard(one.customer as string, 'good');
      await processor.advance(14 * DAY);
      expect(processor.subscriptions().map(({ status }) => status)).toEqual(['active', 'paused']);
      await processor.customerActions.useCard(other.customer as string, 'good');
      const { id } = processor.subscriptions()[1];
      expect(await stripe.subscriptions.resume(id)).toMatchObject({ status: 'active' });
      expect((await stripe.invoices.list({ subscription: id })).data[0].amount_paid).toBe(2900);
    });

    it('with a card that fails at its end, but not without a card if one is required', async () => {
      const session = await newCheckout(stripe, { subscription_data: { trial_period_days: 14 } });
      await expect(processor.customerActions.pay(session.id, null)).rejects.toThrow('needs a card');
      await processor.customerActions.pay(session.id, 'declining');
      await processor.advance(14 * DAY);
      expect(processor.subscriptions()[0].status).toBe('past_due');
      const { id } = await newCheckout(stripe);
      await expect(processor.customerActions.pay(id, 'declining')).rejects.toThrow('declined');
    });
  });
});
