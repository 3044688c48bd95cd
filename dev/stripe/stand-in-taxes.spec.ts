import type Stripe from 'stripe';
import { newCheckout } from './stand-in-checkouts';
import { clientOf, failureOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';

describe('Taxes of the stand-in', () => {
  let processor: StripeStandIn;
  let stripe: Stripe;

  beforeEach(async () => {
    processor = new StripeStandIn({ validateResponses: true, seed: 7, taxPercent: 19 });
    await processor.start();
    stripe = clientOf(processor);
  });

  afterEach(async () => {
    await processor.stop();
    expect(processor.violations).toEqual([]);
  });

  const taxed: Partial<Stripe.Checkout.SessionCreateParams> = {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    billing_address_collection: 'required',
    customer_update: { address: 'auto', name: 'auto' },
  };
  const pay = (session: Stripe.Checkout.Session, fields: Record<string, string>) =>
    fetch(session.url!, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'pay', ...fields }),
    });

  it('are added to a price without them, after the discount', async () => {
    const session = await newCheckout(stripe, { ...taxed, discounts: [{ coupon: 'welcome20' }] });
    expect(session).toMatchObject({
      amount_subtotal: 2900,
      amount_total: 2761,
      total_details: { amount_discount: 580, amount_tax: 441 },
      automatic_tax: { enabled: true, status: 'complete' },
      tax_id_collection: { enabled: true },
      billing_address_collection: 'required',
    });
    const page = await (await fetch(session.url!)).text();
    for (const text of ['27.61 USD per month', 'Tax: 4.41 USD', 'Country', 'Tax ID']) expect(page).toContain(text);
    await pay(session, { country: 'de', postalCode: '10115', taxId: 'DE 123456789' });
    const [invoice] = (await stripe.invoices.list()).data;
    expect(invoice).toMatchObject({
      total: 2761,
      amount_paid: 2761,
      total_excluding_tax: 2320,
      total_taxes: [{ amount: 441, tax_behavior: 'exclusive', taxable_amount: 2320 }],
      customer_tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
      customer_address: { country: 'DE', postal_code: '10115' },
    });
    expect(await (await fetch(invoice.hosted_invoice_url!)).text()).toMatch(/Tax 19 %[^]*4\.41 USD/);
    const { customer_details: details } = await stripe.checkout.sessions.retrieve(session.id);
    expect(details).toMatchObject({ address: { country: 'DE' }, tax_ids: [{ value: 'DE123456789' }] });
    expect(processor.subscriptions()[0].automatic_tax.enabled).toBe(true);
  });

  it('are a part of a price that includes them', async () => {
    const price = await stripe.prices.create({
      product: 'prod_pro',
      currency: 'eur',
      unit_amount: 11_900,
      tax_behavior: 'inclusive',
      recurring: { interval: 'month' },
    });
    const session = await newCheckout(stripe, { ...taxed, line_items: [{ price: price.id, quantity: 1 }] });
    await pay(session, { country: 'GB', taxId: 'GB123' });
    expect((await stripe.invoices.list()).data[0]).toMatchObject({
      total: 11_900,
      total_excluding_tax: 10_000,
      total_taxes: [{ amount: 1900, tax_behavior: 'inclusive' }],
      customer_tax_ids: [{ type: 'gb_vat' }],
    });
  });

  it('are asked for only if the checkout says so', async () => {
    const session = await newCheckout(stripe);
    const page = await (await fetch(session.url!)).text();
    for (const text of ['Country', 'Tax ID', 'Tax:']) expect(page).not.toContain(text);
    await pay(session, { taxId: 'US12' });
    expect((await stripe.invoices.list()).data[0]).toMatchObject({
      total: 2900,
      total_taxes: [],
      customer_tax_ids: [],
    });
  });

  it('of an existing customer need the permission to change the customer', async () => {
    const paramOf = async (changes: Partial<Stripe.Checkout.SessionCreateParams>) =>
      (await failureOf(newCheckout(stripe, { ...taxed, ...changes })))!.param;
    expect(await paramOf({ customer_update: { address: 'auto' } })).toBe('customer_update[name]');
    expect(await paramOf({ customer_update: { name: 'auto' } })).toBe('customer_update[address]');
  });
});
