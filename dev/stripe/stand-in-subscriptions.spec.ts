import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { newCheckout, subscribed } from './stand-in-checkouts';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const DAY = 24 * 60 * 60;
/** A month of 30 days. */
const NOVEMBER = new Date('2026-11-01T00:00:00Z');

describe('Subscriptions of the stand-in', () => {
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

  const lines = (price: string, quantity = 1) => ({ line_items: [{ price, quantity }] });
  const change = (
    { id, items }: Stripe.Subscription,
    item: Stripe.SubscriptionUpdateParams.Item,
    more: Stripe.SubscriptionUpdateParams = {},
  ) => stripe.subscriptions.update(id, { items: [{ id: items.data[0].id, ...item }], ...more });
  const invoices = async ({ id }: Stripe.Subscription) => (await stripe.invoices.list({ subscription: id })).data;
  const amounts = ({ lines: { data } }: Stripe.Invoice) => data.map(({ amount }) => amount);

  it('charge further seats by the second, with the next invoice', async () => {
    const subscription = await subscribed(processor, stripe, lines('price_pro_monthly', 12));
    expect((await invoices(subscription)).map(({ total }) => total)).toEqual([4100]);
    await processor.advance(10 * DAY);
    const count = processor.events().length;
    const more = await change(subscription, { quantity: 15 });
    expect(more.items.data[0]).toMatchObject({ quantity: 15, price: { id: 'price_pro_monthly' } });
    const [event, ...others] = processor.events().slice(count);
    expect(others).toEqual([]);
    expect(event.data.previous_attributes).toMatchObject({ items: { data: [{ quantity: 12 }] }, quantity: 12 });
    expect(await invoices(subscription)).toHaveLength(1);
    await processor.advance(20 * DAY);
    const [next] = await invoices(subscription);
    expect(next).toMatchObject({ billing_reason: 'subscription_cycle', total: 7100, amount_paid: 7100 });
    expect(amounts(next)).toEqual([-2733, 3933, 5900]);
    expect(next.lines.data.map(({ parent }) => parent!.subscription_item_details!.proration)).toEqual([
      true,
      true,
      false,
    ]);
    await processor.advance(31 * DAY);
    expect(amounts((await invoices(subscription))[0])).toEqual([5900]);
  });

  it('charge a change at once, or not at all, if asked to', async () => {
    const subscription = await subscribed(processor, stripe);
    await processor.advance(15 * DAY);
    const business = { price: 'price_business_monthly' };
    await change(subscription, business, { proration_behavior: 'always_invoice' });
    const [invoice] = await invoices(subscription);
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', amount_paid: 3500, status: 'paid' });
    expect(amounts(invoice)).toEqual([-1450, 4950]);
    await change(subscription, { price: 'price_pro_monthly' }, { proration_behavior: 'none' });
    await processor.advance(15 * DAY);
    expect(amounts((await invoices(subscription))[0])).toEqual([2900]);
  });

  it('credit what a smaller plan leaves, and use the credit for the next invoices', async () => {
    const subscription = await subscribed(processor, stripe, lines('price_business_monthly'));
    const customer = subscription.customer as string;
    await processor.advance(15 * DAY);
    await change(subscription, { price: 'price_pro_monthly' }, { proration_behavior: 'always_invoice' });
    expect((await invoices(subscription))[0]).toMatchObject({ total: -3500, amount_due: 0, ending_balance: -3500 });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -3500, currency: 'usd' });
    await processor.advance(15 * DAY);
    expect((await invoices(subscription))[0]).toMatchObject({ total: 2900, amount_due: 0, starting_balance: -3500 });
    await processor.advance(31 * DAY);
    expect((await invoices(subscription))[0]).toMatchObject({ amount_due: 2300, ending_balance: 0, status: 'paid' });
  });

  it('start a new period when the interval changes, and end it a year later', async () => {
    const subscription = await subscribed(processor, stripe);
    await processor.advance(15 * DAY);
    const yearly = await change(subscription, { price: 'price_pro_yearly' });
    const [invoice] = await invoices(subscription);
    expect(amounts(invoice)).toEqual([-1450, 29_000]);
    const { current_period_start: start, current_period_end: end } = yearly.items.data[0];
    expect([start, end - start]).toEqual([NOVEMBER.getTime() / 1000 + 15 * DAY, 365 * DAY]);
    await processor.advance(365 * DAY);
    expect((await invoices(subscription))[0]).toMatchObject({ total: 29_000, billing_reason: 'subscription_cycle' });
  });

  it('are past due if a change cannot be paid, or are not changed if that was asked for', async () => {
    const subscription = await subscribed(processor, stripe);
    await processor.customerActions.useCard(subscription.customer as string, 'declining');
    const business = { price: 'price_business_monthly' };
    const refusal = await failureOf(
      change(subscription, business, {
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      }),
    );
    expect(refusal).toMatchObject({ code: 'card_declined', statusCode: 402 });
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0].price.id).toBe('price_pro_monthly');
    const unpaid = await change(subscription, business, { proration_behavior: 'always_invoice' });
    expect(unpaid).toMatchObject({ status: 'past_due', items: { data: [{ price: { id: business.price } }] } });
    await processor.customerActions.useCard(subscription.customer as string, 'good');
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  it('charge no prorations during a trial, whose end can be moved', async () => {
    const trial = { subscription_data: { trial_period_days: 14 } };
    const subscription = await subscribed(processor, stripe, trial);
    await change(subscription, { quantity: 12 }, { proration_behavior: 'always_invoice' });
    expect(await invoices(subscription)).toHaveLength(1);
    const end = subscription.trial_end! + 7 * DAY;
    const longer = await stripe.subscriptions.update(subscription.id, { trial_end: end });
    expect(longer).toMatchObject({ status: 'trialing', trial_end: end });
    expect(longer.items.data[0].current_period_end).toBe(end);
    await processor.advance(15 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('trialing');
    await processor.advance(7 * DAY);
    expect((await invoices(subscription))[0].amount_paid).toBe(4100);
    const past = stripe.subscriptions.update(subscription.id, { trial_end: end });
    expect((await failureOf(past))!.param).toBe('trial_end');
    const inThreeYears = stripe.subscriptions.update(subscription.id, { trial_end: end + 3 * 365 * DAY });
    expect((await failureOf(inThreeYears))!.param).toBe('trial_end');
    const later = end + 30 * DAY;
    expect(await stripe.subscriptions.update(subscription.id, { trial_end: later })).toMatchObject({
      status: 'trialing',
      trial_end: later,
    });
  });

  it('end with the period if requested, until that is withdrawn', async () => {
    const subscription = await subscribed(processor, stripe);
    const end = subscription.items.data[0].current_period_end;
    const canceled = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(canceled).toMatchObject({ cancel_at: end, cancel_at_period_end: true });
    const resumed = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(resumed).toMatchObject({ cancel_at: null, cancel_at_period_end: false, canceled_at: null });
    await stripe.subscriptions.update(subscription.id, { cancel_at: end - DAY });
    await processor.advance(30 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  });

  it('keep the currency of the checkout', async () => {
    const subscription = await subscribed(processor, stripe, { currency: 'eur', ...lines('price_pro_monthly', 11) });
    expect(subscription.currency).toBe('eur');
    expect((await invoices(subscription))[0]).toMatchObject({ currency: 'eur', total: 3250 });
    const customer = subscription.customer as string;
    expect((await failureOf(newCheckout(stripe, { customer })))!.message).toContain('combine currencies');
    expect((await failureOf(newCheckout(stripe, { currency: 'gbp' })))!.param).toBe('currency');
    const dollars = await stripe.prices.create({
      product: 'prod_pro',
      currency: 'usd',
      unit_amount: 5,
      recurring: { interval: 'month' },
    });
    expect((await failureOf(change(subscription, { price: dollars.id })))!.param).toBe('currency');
    await stripe.subscriptions.cancel(subscription.id);
    expect(await newCheckout(stripe, { customer })).toMatchObject({ currency: 'usd' });
  });

  it('refuse prices that cannot be subscribed to', async () => {
    const subscription = await subscribed(processor, stripe);
    await stripe.prices.update('price_pro_yearly', { active: false });
    for (const price of ['price_pro_yearly', 'price_none'])
      expect((await failureOf(change(subscription, { price })))!.param).toBe('items[0][price]');
    const foreign = stripe.subscriptions.update(subscription.id, { items: [{ id: 'si_none', quantity: 2 }] });
    expect((await failureOf(foreign))!.param).toBe('items[0][id]');
    const outside = change(subscription, { quantity: 2 }, { proration_date: 5 });
    expect((await failureOf(outside))!.param).toBe('proration_date');
  });

  it('can be changed in quantity on the portal', async () => {
    const { id, customer } = await subscribed(processor, stripe);
    const { url } = await stripe.billingPortal.sessions.create({ customer: customer as string });
    expect(await (await fetch(url)).text()).toContain('Change seats');
    const press = (quantity: string) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'quantity', subscription: id, quantity }) });
    await press('14');
    await press('-3');
    expect((await stripe.subscriptions.retrieve(id)).items.data[0].quantity).toBe(14);
    await processor.customerActions.changeQuantity(id, 15);
    expect(processor.subscription(id)!.items.data[0].quantity).toBe(15);
  });

  it('of a state file of an earlier version continue', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'processor-'));
    const file = join(folder, 'processor.json');
    const created = NOVEMBER.getTime() / 1000;
    const period = { periodStart: created, periodEnd: created + 30 * DAY };
    const common = { created, customer: 'cus_1', price: 'price_pro_monthly', quantity: 1, metadata: {}, ...period };
    const state = { anchor: created, status: 'active', latestInvoice: 'in_1', cancelAt: null, pauseCollection: null };
    const customers = [{ id: 'cus_1', created, metadata: {}, card: 'good', isDeleted: false }];
    const paid = { number: 'LOCAL-1', subscription: 'sub_1', amount: 2900, reason: 'subscription_create', attempts: 1 };
    const tables = {
      customers,
      subscriptions: [{ ...common, ...state, id: 'sub_1' }],
      invoices: [{ ...common, ...paid, id: 'in_1', status: 'paid', nextAttempt: null, paidAt: created }],
    };
    writeFileSync(file, JSON.stringify({ version: 1, aheadMs: 0, randomPosition: 0, ...tables }));
    const other = new StripeStandIn({ file, validateResponses: true, wallClock: () => NOVEMBER });
    await other.start();
    await other.advance(30 * DAY);
    expect((await clientOf(other).invoices.list()).data).toMatchObject([{ total: 2900 }, { total: 2900 }]);
    await other.stop();
    expect(other.violations).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
