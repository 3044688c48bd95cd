import { clientOf } from '../../../dev/stripe/stand-in-client';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';

const REFUNDED = 'Your payment for Acme was refunded';

describe('a checkout of a workspace that is deleted', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  /** A tenant that had its trial, and starts a checkout. */
  async function buyer({ hadTrial = true } = {}): Promise<{ owner: Member; url: string; customer: string }> {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
      VALUES ($1, 'Free', 'Active', $2, now())`;
    await t.database.query(sql, [owner.tenantId, hadTrial]);
    const url = await billing.checkout(owner);
    return { owner, url, customer: billing.customersOf(owner)[0].id };
  }
  const remove = ({ bearer }: Member) => t.api.delete('/tenants/current').set(bearer).expect(200);
  const close = async () => {
    await billing.untilJobsAreDone('close-customer');
    await billing.untilJobsAreDone('refund-subscription');
  };
  const refundsOf = async (customer: string) => {
    const { data } = await clientOf(t.processor).invoices.list({ customer });
    return data.map((one) => [one.amount_paid, one.post_payment_credit_notes_amount]);
  };
  const statusesOf = async (customer: string) => {
    const { data } = await clientOf(t.processor).subscriptions.list({ customer, status: 'all' });
    return data.map(({ status }) => status);
  };
  const mailsTo = async (owner: Member) => (await billing.mails(owner)).filter((subject) => subject === REFUNDED);
  const audited = ({ tenantId }: Member) =>
    t.database.query(`SELECT data FROM audit_log WHERE action = 'billing.payment-refunded' AND target_id = $1`, [
      tenantId,
    ]);

  /** Pays, without an event that tells the service. */
  async function payUnheard(url: string): Promise<void> {
    t.processor.chaos.drop = 1;
    await t.processor.customerActions.pay(url);
    await t.processor.drain();
    t.processor.chaos.drop = 0;
  }

  it('expires within seconds, so that nobody pays for it', async () => {
    const { owner, url, customer } = await buyer();
    await remove(owner);
    await eventually(() => t.processor.openSessions(customer).length === 0 || undefined, 'no open checkout');
    await expect(t.processor.customerActions.pay(url)).rejects.toThrow('expired');
    await close();
    expect(await refundsOf(customer)).toEqual([]);
    expect(await mailsTo(owner)).toEqual([]);
  });

  it('that was paid meanwhile is canceled and refunded once, and the payer is told', async () => {
    const { owner, url, customer } = await buyer();
    await payUnheard(url);
    await remove(owner);
    await close();
    expect(await statusesOf(customer)).toEqual(['canceled']);
    expect(await refundsOf(customer)).toEqual([[2900, 2900]]);
    expect(await mailsTo(owner)).toEqual([REFUNDED]);
    expect(t.mailbox.to(owner.user.email).at(-1)!.text).toContain('29.00 USD');
    expect(await audited(owner)).toMatchObject([{ data: { amount: 2900, currency: 'usd' } }]);
    expect(billing.postsTo('/v1/credit_notes')).toHaveLength(1);
  });

  it('that was being prepared is closed after three minutes, and what was paid is refunded', async () => {
    const { owner, customer } = await buyer();
    await remove(owner);
    await eventually(() => t.processor.openSessions(customer).length === 0 || undefined, 'no open checkout');
    const late = await clientOf(t.processor).checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: 'price_business_monthly', quantity: 1 }],
      subscription_data: { metadata: { tenantId: owner.tenantId } },
      metadata: { tenantId: owner.tenantId, plan: 'Business' },
      success_url: 'http://localhost:5173/billing',
    });
    await payUnheard(late.url!);
    await close();
    expect(await statusesOf(customer)).toEqual(['canceled']);
    expect(await refundsOf(customer)).toEqual([[9900, 9900]]);
    expect(await mailsTo(owner)).toEqual([REFUNDED]);
  });

  it('is refunded once, even if Stripe loses its response', async () => {
    const { owner, url, customer } = await buyer();
    await payUnheard(url);
    t.processor.injectFault('disconnect-after', 3, '/v1/credit_notes');
    await remove(owner);
    await close();
    expect(await refundsOf(customer)).toEqual([[2900, 2900]]);
    expect(await mailsTo(owner)).toEqual([REFUNDED]);
  });

  it('with a trial is canceled, and there is nothing to refund', async () => {
    const { owner, url, customer } = await buyer({ hadTrial: false });
    await payUnheard(url);
    await remove(owner);
    await close();
    expect(await statusesOf(customer)).toEqual(['canceled']);
    expect(await refundsOf(customer)).toEqual([[0, 0]]);
    expect(await mailsTo(owner)).toEqual([]);
  });

  it('keeps what was paid for an earlier subscription, which was used', async () => {
    const { owner, url, customer } = await buyer();
    await t.processor.customerActions.pay(url);
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await t.processor.customerActions.cancelNow((await billing.subscription(owner)).processorSubscriptionId!);
    await t.processor.drain();
    await remove(owner);
    await close();
    expect(await refundsOf(customer)).toEqual([[2900, 0]]);
    expect(await mailsTo(owner)).toEqual([]);
  });
});
