import type Stripe from 'stripe';
import { StripeStandIn } from '../../../dev/stripe/stripe-stand-in';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { PLAN_CATALOGUE } from '../../../src/billing/catalogue/domain/plan-catalogue';
import { billingCommand } from '../../support/billing-command';

const [MONTH] = PLAN_CATALOGUE.Pro.prices;
const EXPAND = ['data.tiers', 'data.currency_options', 'data.currency_options.eur.tiers'];

describe('npm run billing', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;
  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true });
    await processor.start(0);
    stripe = clientOf(processor);
  });
  afterEach(async () => {
    await processor.stop();
    expect(processor.violations).toEqual([]);
  });

  const run = (...parameters: string[]) => billingCommand(processor, parameters);
  const pricesOf = async (key: string) => (await stripe.prices.list({ lookup_keys: [key], expand: EXPAND })).data;
  const writes = () => processor.requests.filter(({ method }) => method === 'POST');

  it('plan --apply creates what is missing, and says the same as the catalogue afterwards', async () => {
    for (const { id } of (await stripe.prices.list({ limit: 100 })).data)
      await stripe.prices.update(id, { lookup_key: `other_${id}` });
    const before = await run('plan');
    expect(before).toMatchObject({ status: 2, errors: '' });
    expect(before.output).toMatch(/^Pro {7}month {4}usd 29\.00 \+ 6\.00 per seat over 10, eur .* {2}– +missing$/m);
    const applied = await run('plan', '--apply');
    expect(applied).toMatchObject({ status: 0, errors: '' });
    expect(applied.output).toContain('Catalogue and Stripe are the same.');
    const [price, ...others] = await pricesOf('pro_month');
    expect(others).toEqual([]);
    expect(price).toMatchObject({
      active: true,
      currency: 'usd',
      metadata: { plan: 'Pro', interval: 'month' },
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
      tiers: [
        { up_to: 10, flat_amount: MONTH.amounts.usd.base, unit_amount: 0 },
        { up_to: null, unit_amount: MONTH.amounts.usd.seat },
      ],
      currency_options: { eur: { tiers: [{ up_to: 10, flat_amount: MONTH.amounts.eur.base }, {}] } },
    });
    const count = writes().length;
    expect(await run('plan', '--apply')).toMatchObject({ status: 0 });
    expect(writes()).toHaveLength(count);
  }, 60_000);

  it('gives a price with other amounts a successor, and leaves the old one recognizable', async () => {
    expect(await run('plan', '--apply')).toMatchObject({ status: 0 });
    const [{ product }] = await pricesOf('pro_month');
    const old = await stripe.prices.create({
      product: product as string,
      currency: 'usd',
      unit_amount: 1900,
      recurring: { interval: 'month' },
      lookup_key: 'pro_month',
      transfer_lookup_key: true,
    });
    const drift = await run('plan');
    expect(drift.status).toBe(2);
    expect(drift.output).toMatch(new RegExp(`^Pro +month .* ${old.id}: usd 19\\.00 +amounts$`, 'm'));
    const applied = await run('plan', '--apply');
    expect(applied).toMatchObject({ status: 0, errors: '' });
    expect(applied.output).toContain(`which replaces ${old.id}`);
    const [successor] = await pricesOf('pro_month');
    expect(successor.id).not.toBe(old.id);
    expect(await stripe.prices.retrieve(old.id)).toMatchObject({
      active: true,
      lookup_key: null,
      metadata: { plan: 'Pro', interval: 'month' },
    });
  }, 60_000);

  it('activates what was archived', async () => {
    expect(await run('plan', '--apply')).toMatchObject({ status: 0 });
    const [{ id }] = await pricesOf('business_year');
    await stripe.prices.update(id, { active: false });
    expect((await run('plan')).output).toMatch(/^Business +year .* inactive$/m);
    expect(await run('plan', '--apply')).toMatchObject({ status: 0 });
    expect(await pricesOf('business_year')).toMatchObject([{ id, active: true }]);
  }, 60_000);

  it('leaves the price of a setting to the operator, and reports one that does not exist', async () => {
    expect(await run('plan', '--apply')).toMatchObject({ status: 0 });
    const count = writes().length;
    const env = { PROCESSOR_PRO_PRICE_ID: 'price_of_nobody' };
    const missing = await billingCommand(processor, ['plan', '--apply'], env);
    expect(missing.status).toBe(2);
    expect(missing.output).toMatch(/^Pro +month +named by PROCESSOR_PRO_PRICE_ID +– +missing$/m);
    expect(writes()).toHaveLength(count);
  }, 60_000);

  it('refuses other words, and ends with 1 without a key or without Stripe', async () => {
    expect(await run('plans')).toMatchObject({ status: 1, errors: expect.stringContaining('Usage: npm run billing') });
    const keyless = await billingCommand(processor, ['plan'], { PROCESSOR_SECRET_KEY: '' });
    expect(keyless).toMatchObject({ status: 1, errors: expect.stringContaining('PROCESSOR_SECRET_KEY is required') });
    await processor.stop();
    expect(await run('plan')).toMatchObject({ status: 1, errors: expect.stringContaining('Stripe cannot be reached') });
    await processor.start();
  }, 60_000);
});
