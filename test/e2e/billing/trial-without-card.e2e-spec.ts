import { PLAN_CATALOGUE, type TrialTerms } from '../../../src/billing/catalogue/domain/plan-catalogue';
import { DAY } from '../../../src/platform/clock';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

const RESUME = 'POST /v1/subscriptions/{id}/resume';

describe('a trial without a card', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());
  afterEach(() => jest.restoreAllMocks());

  const post = (by: Member, path: string, body: object = {}) =>
    t.api.post(`/billing/${path}`).set(by.bearer).send(body);
  const get = async (by: Member, path: string) => (await t.api.get(path).set(by.bearer).expect(200)).body.data;
  const status = async (owner: Member) => (await billing.subscription(owner)).status;
  const planOf = async (owner: Member) => (await get(owner, '/tenants/current/entitlements')).plan as string;
  const card = async (owner: Member) => (await get(owner, '/billing/payment-method')).onFile as object | null;
  const resumptions = () => t.processor.calls.get(RESUME) ?? 0;
  const customer = (owner: Member) => billing.customersOf(owner)[0].id;

  /** The owner of a tenant whose trial has just begun. */
  const onTrial = async (withoutCard: TrialTerms['withoutCard'] = 'pause'): Promise<Member> => {
    jest.replaceProperty(PLAN_CATALOGUE.Pro, 'trial', { days: 14, card: 'optional', withoutCard });
    const owner = await t.actors.owner();
    await t.processor.customerActions.pay(await billing.checkout(owner), null);
    await post(owner, 'sync').expect(200);
    return owner;
  };
  const endTrial = async () => {
    await t.processor.advance(15 * DAY);
    await t.processor.drain();
  };

  it('begins without a payment method, is paused at its end, and continues with a card', async () => {
    const owner = await onTrial();
    expect(billing.postsTo('/v1/checkout/sessions').at(-1)!.params).toMatchObject({
      payment_method_collection: 'if_required',
      subscription_data: { trial_settings: { end_behavior: { missing_payment_method: 'pause' } } },
    });
    expect([await status(owner), await planOf(owner), await card(owner)]).toEqual(['Trialing', 'Pro', null]);
    await endTrial();
    expect([await status(owner), await planOf(owner), await card(owner)]).toEqual(['Paused', 'Free', null]);
    await t.processor.customerActions.useCard(customer(owner), 'good');
    expect(await status(owner)).toBe('Paused'); // Stripe waits for the resume
    expect((await post(owner, 'resume').expect(200)).body.data).toMatchObject({ status: 'Active', plan: 'Pro' });
    await t.processor.drain();
    expect([await status(owner), await planOf(owner)]).toEqual(['Active', 'Pro']);
    expect(await card(owner)).toMatchObject({ brand: 'visa', last4: '4242' });
    const { items } = (await get(owner, '/billing/invoices')) as { items: { amount: number; status: string }[] };
    expect(items.map(({ amount, status: state }) => [amount, state])).toEqual([
      [2900, 'paid'],
      [0, 'paid'],
    ]);
  });

  it('stays paused without a card, or with one that is declined', async () => {
    const owner = await onTrial();
    await endTrial();
    const before = resumptions();
    expect(codeOf(await post(owner, 'resume').expect(409))).toBe('PAYMENT_DUE');
    expect(codeOf(await post(owner, 'change', { planName: 'Business', when: 'now' }).expect(409))).toBe('PAYMENT_DUE');
    expect(resumptions()).toBe(before);
    await t.processor.customerActions.useCard(customer(owner), 'declining');
    expect(codeOf(await post(owner, 'resume').expect(402))).toBe('PAYMENT_FAILED');
    expect([await status(owner), await planOf(owner)]).toEqual(['Paused', 'Free']);
  });

  it('ends at once if it is canceled while it is paused, and another checkout can follow', async () => {
    const owner = await onTrial();
    await endTrial();
    expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({ status: 'Canceled' });
    await post(owner, 'checkout', { planName: 'Business' }).expect(200);
  });

  it('is resumed once by two requests at once', async () => {
    const owner = await onTrial();
    await endTrial();
    await t.processor.customerActions.useCard(customer(owner), 'good');
    const before = resumptions();
    const answers = await Promise.all([post(owner, 'resume'), post(owner, 'resume')]);
    expect(answers.map(({ status: code, body }) => [code, body.data.status])).toEqual([
      [200, 'Active'],
      [200, 'Active'],
    ]);
    expect(resumptions()).toBe(before + 1);
  });

  it('continues in the portal, too', async () => {
    const owner = await onTrial();
    await endTrial();
    await t.processor.customerActions.useCard(customer(owner), 'good');
    await t.processor.customerActions.resume((await billing.subscription(owner)).processorSubscriptionId!);
    await t.processor.drain();
    expect([await status(owner), await planOf(owner)]).toEqual(['Active', 'Pro']);
  });

  it('continues by itself with a card that was added before its end', async () => {
    const owner = await onTrial();
    await t.processor.customerActions.useCard(customer(owner), 'good');
    await endTrial();
    expect([await status(owner), await planOf(owner)]).toEqual(['Active', 'Pro']);
  });

  it('is canceled at its end where the catalogue says so, and is not given again', async () => {
    const owner = await onTrial('cancel');
    await endTrial();
    expect([await status(owner), await planOf(owner)]).toEqual(['Canceled', 'Free']);
    await billing.checkout(owner);
    const { params } = billing.postsTo('/v1/checkout/sessions').at(-1)!;
    expect(params).not.toHaveProperty('payment_method_collection');
    expect(params.subscription_data).not.toHaveProperty('trial_period_days');
  });
});
