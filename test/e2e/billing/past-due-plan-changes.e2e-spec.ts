import { DAY } from '../../../src/platform/clock';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { FAILED, RECOVERED } from '../../support/subscription-history';

describe('a past due subscription that a customer changes on the pages of Stripe', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  it('is Active when nothing is due on the newest invoice, and the Owner gets each email once', async () => {
    const { customerActions } = t.processor;
    const owner = await t.actors.owner();
    const read = () => billing.untilJobsAreDone('sync-subscription');
    const order = { planName: 'Pro', interval: 'year' };
    const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send(order).expect(200);
    await customerActions.pay(body.data.checkoutUrl as string, 'declining');
    await t.processor.advance(14 * DAY); // the trial is over
    await t.processor.drain();
    await read();
    const { status, processorSubscriptionId } = await billing.subscription(owner);
    expect(status).toBe('PastDue');
    await customerActions.changePlan(processorSubscriptionId!, 'price_pro_monthly'); // the unused year is a credit
    await t.processor.drain();
    await read();
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Active', interval: 'month' });
    expect((await billing.mails(owner)).filter((subject) => [FAILED, RECOVERED].includes(subject))).toEqual([
      FAILED,
      RECOVERED,
    ]);
    expect(await billing.notifications(owner)).toEqual(['TrialEnding', 'SubscriptionPastDue', 'PaymentRecovered']);
  });
});
