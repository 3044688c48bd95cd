import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { amountFor } from './price-amounts';
import type { PriceRecord } from './records';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

const TIERS = [
  { upTo: 10, flatAmount: 2900, unitAmount: 0 },
  { upTo: 20, flatAmount: 100, unitAmount: 600 },
  { upTo: null, flatAmount: null, unitAmount: 500 },
];
const NEW_TIERS: Stripe.PriceCreateParams.Tier[] = [
  { up_to: 10, flat_amount: 2900, unit_amount: 0 },
  { up_to: 'inf', unit_amount: 600 },
];

describe('The amount of a price', () => {
  const price = (tiersMode: PriceRecord['tiersMode'], tiers: typeof TIERS | null) =>
    ({
      currency: 'usd',
      tiersMode,
      amounts: { usd: { unitAmount: tiers ? null : 700, tiers, taxBehavior: 'exclusive' } },
    }) as unknown as PriceRecord;

  it.each([
    [null, 3, 2100],
    ['graduated', 0, 2900],
    ['graduated', 10, 2900],
    ['graduated', 11, 3600],
    ['graduated', 20, 9000],
    ['graduated', 22, 10_000],
    ['volume', 10, 2900],
    ['volume', 11, 6700],
    ['volume', 22, 11_000],
  ] as const)('%s for a quantity of %i is %i', (mode, quantity, amount) => {
    expect(amountFor(price(mode, mode && TIERS), quantity, 'usd')).toBe(amount);
  });

  it('is unknown in a currency that the price does not have', () => {
    expect(() => amountFor(price(null, null), 1, 'eur')).toThrow('only supports `usd`');
  });
});

describe('Prices of the stand-in', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;

  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true, seed: 7 });
    await processor.start();
    stripe = clientOf(processor);
  });

  afterEach(async () => {
    await processor.stop();
    expect(processor.violations).toEqual([]);
  });

  const create = (changes: Partial<Stripe.PriceCreateParams>) =>
    stripe.prices.create({ product: 'prod_pro', currency: 'usd', recurring: { interval: 'month' }, ...changes });
  const refusal = async (changes: Partial<Stripe.PriceCreateParams>) => (await failureOf(create(changes)))!.param;

  it('are those of the catalogue, by lookup key', async () => {
    const { data } = await stripe.prices.list({
      lookup_keys: ['pro_month', 'business_year'],
      expand: ['data.tiers', 'data.currency_options', 'data.currency_options.eur.tiers', 'data.product'],
    });
    expect(data.map(({ id }) => id)).toEqual(['price_business_yearly', 'price_pro_monthly']);
    expect(data[1]).toMatchObject({
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      unit_amount: null,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
      product: { name: 'Pro' },
      tiers: [
        { up_to: 10, flat_amount: 2900, unit_amount: 0 },
        { up_to: null, flat_amount: null, unit_amount: 600 },
      ],
      currency_options: {
        eur: {
          unit_amount: null,
          tiers: [
            { up_to: 10, flat_amount: 2700 },
            { up_to: null, unit_amount: 550 },
          ],
        },
      },
    });
    expect(data[1].currency_options!.usd.tiers).toBeUndefined();
    expect(data[0]).toMatchObject({ recurring: { interval: 'year' }, tiers: [{ flat_amount: 99_000 }, {}] });
  });

  it('have their tiers and currencies only if they were asked for', async () => {
    const price = await stripe.prices.retrieve('price_pro_monthly');
    expect(price).not.toHaveProperty('tiers');
    expect(price).not.toHaveProperty('currency_options');
    const [ignored] = (await stripe.prices.list({ limit: 1, expand: ['data.currency_options.tiers'] })).data;
    expect(ignored.currency_options!.eur).not.toHaveProperty('tiers');
  });

  it('can be listed by currency and interval', async () => {
    const yearly = await stripe.prices.list({ recurring: { interval: 'year' } });
    expect(yearly.data.map(({ id }) => id)).toEqual(['price_business_yearly', 'price_pro_yearly']);
    expect((await stripe.prices.list({ currency: 'eur' })).data).toEqual([]);
  });

  it('give their lookup key to another price only if asked to', async () => {
    const taken = { unit_amount: 500, lookup_key: 'pro_month' };
    expect(await refusal(taken)).toBe('lookup_key');
    expect((await stripe.prices.retrieve('price_pro_monthly')).lookup_key).toBe('pro_month');
    const price = await create({ ...taken, transfer_lookup_key: true });
    expect((await stripe.prices.list({ lookup_keys: ['pro_month'] })).data).toMatchObject([{ id: price.id }]);
    const back = { lookup_key: 'pro_month', transfer_lookup_key: true };
    await stripe.prices.update('price_pro_monthly', back);
    expect((await stripe.prices.retrieve(price.id)).lookup_key).toBeNull();
  });

  it('can be changed, except for their amounts', async () => {
    const { id } = await create({ unit_amount: 500, nickname: 'Old', metadata: { a: '1' } });
    const change = { active: false, nickname: 'Older', metadata: { a: '', b: '2' } };
    expect(await stripe.prices.update(id, change)).toMatchObject({ active: false, nickname: 'Older' });
    expect((await stripe.prices.retrieve(id)).metadata).toEqual({ b: '2' });
    expect((await stripe.prices.list({ active: true })).data.map((price) => price.id)).not.toContain(id);
    const amounts = { currency_options: { eur: { unit_amount: 1 } } };
    expect((await failureOf(stripe.prices.update(id, amounts)))!.message).toContain('cannot change the amounts');
    expect((await failureOf(stripe.prices.update('price_none', {})))!.code).toBe('resource_missing');
  });

  it('are refused with tiers that are incomplete or out of order', async () => {
    const tiered = { billing_scheme: 'tiered', tiers_mode: 'graduated' } as const;
    expect(await refusal({ ...tiered, tiers_mode: undefined, tiers: NEW_TIERS })).toBe('tiers_mode');
    expect(await refusal(tiered)).toBe('tiers');
    expect(await refusal({ ...tiered, tiers: NEW_TIERS, unit_amount: 5 })).toBe('unit_amount');
    expect(await refusal({ ...tiered, tiers: NEW_TIERS.slice(0, 1) })).toBe('tiers');
    expect(await refusal({ ...tiered, tiers: [{ up_to: 'inf' }] })).toBe('tiers[0][unit_amount]');
    expect(await refusal({ ...tiered, tiers: [NEW_TIERS[0], ...NEW_TIERS] })).toBe('tiers');
    const eur = { eur: { tiers: [{ up_to: 5, unit_amount: 1 }, NEW_TIERS[1]] } };
    expect(await refusal({ ...tiered, tiers: NEW_TIERS, currency_options: eur })).toBe('currency_options');
    expect(await refusal({ unit_amount: 5, currency_options: { eur: { tax_behavior: 'exclusive' } } })).toBe(
      'currency_options[eur][unit_amount]',
    );
    const expanded = { expand: ['tiers', 'currency_options'], currency_options: { eur: { tiers: NEW_TIERS } } };
    expect(await create({ ...tiered, tiers: NEW_TIERS, ...expanded })).toMatchObject({
      tiers: [{ up_to: 10 }, { up_to: null, unit_amount: 600 }],
      currency_options: { eur: { unit_amount: null } },
    });
  });

  it('of a state file of an earlier version get the amounts of the catalogue', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'processor-'));
    const file = join(folder, 'processor.json');
    const price = { id: 'price_pro_monthly', created: 1, product: 'prod_pro', amount: 2900, currency: 'usd' };
    const old = { intervalCount: 1, interval: 'month', isActive: true, nickname: null, lookupKey: null, metadata: {} };
    const prices = [price, { ...price, id: 'price_own', amount: 700 }].map((row) => ({ ...row, ...old }));
    writeFileSync(file, JSON.stringify({ version: 1, aheadMs: 0, randomPosition: 0, prices }));
    const other = new StripeStandIn({ file, validateResponses: true });
    await other.start();
    expect((await clientOf(other).prices.list()).data).toMatchObject([
      { id: 'price_business_yearly' },
      { id: 'price_business_monthly' },
      { id: 'price_pro_yearly' },
      { id: 'price_pro_monthly', billing_scheme: 'tiered' },
      { id: 'price_own', unit_amount: 700 },
    ]);
    await other.stop();
    expect(other.violations).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
