import type { Member } from '../../support/actors';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

/** Plan and interval by the price at Stripe. */
const PRICES: Readonly<Record<string, [plan: string, interval: string]>> = {
  price_business_monthly: ['Business', 'month'],
  price_pro_yearly: ['Pro', 'year'],
};

describe('changes of a subscription', () => {
  let t: TestApp;
  let billing: Billing;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    other = await TestApp.start({ processor: true, beside: t });
    billing = new Billing(t);
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const post = (by: Member, path: string, body: object = {}, app = t) =>
    app.api.post(`/billing/${path}`).set(by.bearer).send(body);
  const change = (by: Member, body: object, app = t) => post(by, 'change', { when: 'now', ...body }, app);
  const actions = async ({ tenantId }: Member) =>
    (
      await t.database.query<{ action: string }>(
        `SELECT action FROM audit_log WHERE tenant_id = $1 AND action LIKE 'billing.%' ORDER BY id`,
        [tenantId],
      )
    ).map(({ action }) => action);

  /** A tenant that has paid for Pro: it had its trial before. */
  const paying = async (): Promise<Member> => {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
      VALUES ($1, 'Free', 'Active', true, now())`;
    await t.database.query(sql, [owner.tenantId]);
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await post(owner, 'sync').expect(200);
    return owner;
  };

  const atStripe = async (owner: Member) =>
    t.processor.subscription((await billing.subscription(owner)).processorSubscriptionId!);

  describe('POST /billing/change', () => {
    it('says what a change costs, and changes nothing', async () => {
      const owner = await paying();
      const writes = t.processor.requests.length;
      const { body } = await change(owner, { planName: 'Business', preview: true }).expect(200);
      expect(body.data.subscription).toMatchObject({ plan: 'Pro', interval: 'month' });
      expect(body.data.preview).toMatchObject({ currency: 'usd', nextAmount: 9900 });
      expect(body.data.preview.amountDueNow).toBeGreaterThan(6900);
      expect(body.data.preview.lines.some(({ isProration }: { isProration: boolean }) => isProration)).toBe(true);
      const posts = t.processor.requests.slice(writes).filter(({ method }) => method === 'POST');
      expect(posts.map(({ path }) => path).every((path) => path === '/v1/invoices/create_preview')).toBe(true);
      expect(await actions(owner)).toEqual([]);
    });

    it('changes plan and interval at once, and shows it in the same answer', async () => {
      const owner = await paying();
      const { body } = await change(owner, { planName: 'Business', interval: 'year' }).expect(200);
      expect(body.data).toMatchObject({
        preview: null,
        subscription: { plan: 'Business', interval: 'year', currency: 'usd', seats: 1, status: 'Active' },
      });
      await t.processor.drain();
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', interval: 'year' });
      expect(await actions(owner)).toEqual(['billing.plan-change-requested']);
    });

    it('plans a change for the end of the period, which a later one replaces', async () => {
      const owner = await paying();
      const planned = await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
      expect(planned.body.data.subscription).toMatchObject({
        plan: 'Pro',
        pendingChange: { plan: 'Business', interval: 'month', at: expect.any(String) },
      });
      const later = await change(owner, { planName: 'Pro', interval: 'year', when: 'period-end' }).expect(200);
      expect(later.body.data.subscription.pendingChange).toMatchObject({ plan: 'Pro', interval: 'year' });
      await t.processor.drain();
      expect((await billing.subscription(owner)).pendingChange).toMatchObject({ plan: 'Pro', interval: 'year' });
      const now = await change(owner, { planName: 'Business' }).expect(200);
      expect(now.body.data.subscription).toMatchObject({ plan: 'Business', pendingChange: null });
    });

    it('leaves no schedule behind that plans nothing, if Stripe fails in between', async () => {
      const owner = await paying();
      t.processor.injectFault('error', 3, 'POST /v1/subscription_schedules/{id}');
      const body = { planName: 'Business', when: 'period-end' };
      expect(codeOf(await change(owner, body).expect(503))).toBe('BILLING_UNAVAILABLE');
      const { processorSubscriptionId: id } = await billing.subscription(owner);
      expect(t.processor.subscription(id!)).toMatchObject({ schedule: null });
      const planned = await change(owner, body).expect(200);
      expect(planned.body.data.subscription.pendingChange).toMatchObject({ plan: 'Business' });
      expect(t.processor.subscription(id!)!.schedule).toMatch(/^sub_sched_/);
    });

    it('keeps a cancellation if another plan cannot be scheduled', async () => {
      const owner = await paying();
      await post(owner, 'cancel').expect(200);
      t.processor.injectFault('error', 3, 'POST /v1/subscription_schedules');
      await change(owner, { planName: 'Business', when: 'period-end' }).expect(503);
      expect(await atStripe(owner)).toMatchObject({ cancel_at_period_end: true, schedule: null });
      await billing.untilJobsAreDone('sync-subscription');
      expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true, pendingChange: null });
    });

    it('keeps a scheduled change if it cannot be replaced', async () => {
      const owner = await paying();
      await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
      t.processor.injectFault('error', 3, 'POST /v1/subscription_schedules/{id}');
      await change(owner, { planName: 'Pro', interval: 'year', when: 'period-end' }).expect(503);
      await post(owner, 'sync');
      expect((await billing.subscription(owner)).pendingChange).toMatchObject({ plan: 'Business', interval: 'month' });
    });

    it('is made once, and the scheduled change is dropped later, if Stripe fails in between', async () => {
      const owner = await paying();
      await change(owner, { planName: 'Pro', interval: 'year', when: 'period-end' }).expect(200);
      t.processor.injectFault('error', 3, 'POST /v1/subscription_schedules/{id}/release');
      const { body } = await change(owner, { planName: 'Business' }).expect(200);
      expect(body.data.subscription).toMatchObject({ plan: 'Business', interval: 'month' });
      await billing.untilJobsAreDone('cancel-planned-change');
      expect(await atStripe(owner)).toMatchObject({ schedule: null });
      await billing.untilJobsAreDone('sync-subscription');
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', pendingChange: null });
    });

    it('drops a scheduled change if the current plan is chosen again', async () => {
      const owner = await paying();
      await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
      const { body } = await change(owner, { planName: 'Pro' }).expect(200);
      expect(body.data.subscription).toMatchObject({ plan: 'Pro', pendingChange: null });
      expect(codeOf(await change(owner, { planName: 'Pro' }).expect(409))).toBe('SAME_PLAN');
    });

    it('takes Free as an end with the period, and drops the end with another plan', async () => {
      const owner = await paying();
      const free = await change(owner, { planName: 'Free' }).expect(200);
      expect(free.body.data.subscription).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: true });
      const preview = await change(owner, { planName: 'Free', preview: true }).expect(200);
      expect(preview.body.data.preview).toMatchObject({ amountDueNow: 0, nextAmount: 0, lines: [] });
      const back = await change(owner, { planName: 'Business' }).expect(200);
      expect(back.body.data.subscription).toMatchObject({ plan: 'Business', cancelAtPeriodEnd: false });
    });

    it.each([
      ['its end was requested here', (owner: Member) => post(owner, 'cancel').expect(200)],
      [
        'its end was requested in the portal',
        async (owner: Member) => {
          const { processorSubscriptionId: id } = await billing.subscription(owner);
          await t.processor.customerActions.cancelAtPeriodEnd(id!);
          await t.processor.drain();
        },
      ],
    ])('says what a change costs although %s, which stays', async (_what, end) => {
      const owner = await paying();
      await end(owner);
      for (const when of ['now', 'period-end']) {
        const { body } = await change(owner, { planName: 'Business', when, preview: true }).expect(200);
        expect(body.data.preview).toMatchObject({ nextAmount: 9900 });
        expect(body.data.preview.amountDueNow > 0).toBe(when === 'now');
      }
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', cancelAtPeriodEnd: true });
    });

    it('says what a change costs although another one is planned', async () => {
      const owner = await paying();
      await change(owner, { planName: 'Pro', interval: 'year', when: 'period-end' }).expect(200);
      for (const when of ['now', 'period-end']) {
        const { body } = await change(owner, { planName: 'Business', when, preview: true }).expect(200);
        expect([when, body.data.preview.nextAmount]).toEqual([when, 9900]);
      }
    });

    it('applies one of two changes after the other', async () => {
      const owner = await paying();
      const answers = await Promise.all([
        change(owner, { planName: 'Business', interval: 'month' }),
        change(owner, { planName: 'Business', interval: 'month' }, other),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.filter(({ status }) => status === 409).map(codeOf)).toEqual(['SAME_PLAN']);
      const { processorSubscriptionId: id, ...now } = await billing.subscription(owner);
      expect(now).toMatchObject({ plan: 'Business', interval: 'month' });
      expect(billing.postsTo(`/v1/subscriptions/${id}`)).toHaveLength(1);
      expect(await actions(owner)).toEqual(['billing.plan-change-requested']);
      const { body } = await t.api.get('/billing/invoices').set(owner.bearer).expect(200);
      expect(body.data.items).toHaveLength(2); // the first, and one for the change
    }, 30_000);

    it('applies two other changes one after the other, each once, and shows the one at Stripe', async () => {
      const owner = await paying();
      const answers = await Promise.all([
        change(owner, { planName: 'Business', interval: 'month' }),
        change(owner, { planName: 'Pro', interval: 'year' }, other),
        post(owner, 'cancel', {}, other),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      await t.processor.drain();
      const { processorSubscriptionId: id, ...now } = await billing.subscription(owner);
      const { items, cancel_at_period_end: isEnding } = t.processor.subscription(id!)!;
      expect(PRICES[items.data[0].price.id]).toEqual([now.plan, now.interval]);
      expect(isEnding).toBe(now.cancelAtPeriodEnd);
      expect((await actions(owner)).sort()).toEqual([
        'billing.cancellation-requested',
        'billing.plan-change-requested',
        'billing.plan-change-requested',
      ]);
      const moved = billing.postsTo(`/v1/subscriptions/${id}`).filter(({ params }) => 'items' in params);
      expect(moved).toHaveLength(2);
    }, 30_000);

    it('is refused without a subscription, for the same plan, and while a payment is due', async () => {
      const nobody = await t.actors.owner();
      expect(codeOf(await change(nobody, { planName: 'Business' }).expect(409))).toBe('NO_SUBSCRIPTION');
      const owner = await paying();
      expect(codeOf(await change(owner, { planName: 'Pro' }).expect(409))).toBe('SAME_PLAN');
      await t.processor.customerActions.useCard(billing.customersOf(owner)[0].id, 'declining');
      await t.processor.advance(32 * 86_400);
      expect(codeOf(await change(owner, { planName: 'Business' }).expect(409))).toBe('PAYMENT_DUE');
      expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({ cancelAtPeriodEnd: true });
      await change(owner, { planName: 'Gold' }).expect(400);
      await change(owner, { planName: 'Business', when: 'later' }).expect(400);
    });

    it('is canceled for the end of the period although an end long after it was planned at Stripe', async () => {
      const owner = await paying();
      const { processorSubscriptionId: id } = await billing.subscription(owner);
      const stripe = clientOf(t.processor);
      const { items } = await stripe.subscriptions.retrieve(id!);
      const [{ current_period_end: periodEnd }] = items.data;
      await stripe.subscriptions.update(id!, { cancel_at: periodEnd + 300 * 86_400 });
      await post(owner, 'cancel').expect(200);
      const { cancel_at: end, cancel_at_period_end: isAtEnd } = (await atStripe(owner))!;
      expect(isAtEnd || end === periodEnd).toBe(true);
    });

    it('changes nothing if the card is declined', async () => {
      const owner = await paying();
      await t.processor.customerActions.useCard(billing.customersOf(owner)[0].id, 'declining');
      expect(codeOf(await change(owner, { planName: 'Business' }).expect(402))).toBe('PAYMENT_FAILED');
      await post(owner, 'sync');
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active' });
      expect(await actions(owner)).toEqual(['billing.plan-change-requested']); // recorded before Stripe is called
    });

    it('is not for members without the permission', async () => {
      const owner = await paying();
      const member = await t.actors.member(owner);
      for (const path of ['change', 'cancel', 'resume'])
        await post(member, path, { planName: 'Business', when: 'now' }).expect(403);
    });
  });

  describe('POST /billing/cancel and /billing/resume', () => {
    it('end the subscription with its period, and keep it', async () => {
      const owner = await paying();
      expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({
        plan: 'Pro',
        cancelAtPeriodEnd: true,
      });
      expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({ cancelAtPeriodEnd: true });
      expect((await post(owner, 'resume').expect(200)).body.data).toMatchObject({ cancelAtPeriodEnd: false });
      expect((await post(owner, 'resume').expect(200)).body.data).toMatchObject({ cancelAtPeriodEnd: false });
      expect(await actions(owner)).toEqual(['billing.cancellation-requested', 'billing.resumption-requested']);
    });

    it('drop a planned change', async () => {
      const owner = await paying();
      await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
      expect((await post(owner, 'resume').expect(200)).body.data).toMatchObject({ plan: 'Pro', pendingChange: null });
      await change(owner, { planName: 'Business', when: 'period-end' }).expect(200);
      expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({
        cancelAtPeriodEnd: true,
        pendingChange: null,
      });
    });

    it('are refused without a subscription', async () => {
      const nobody = await t.actors.owner();
      for (const path of ['cancel', 'resume'])
        expect(codeOf(await post(nobody, path).expect(409))).toBe('NO_SUBSCRIPTION');
    });
  });

  it('answer 503 while Stripe is away, and change nothing', async () => {
    const owner = await paying();
    await t.processor.stop();
    for (const [path, body] of [
      ['change', { planName: 'Business', when: 'now' }],
      ['cancel', {}],
      ['resume', {}],
    ] as const)
      expect(codeOf(await post(owner, path, body).expect(503))).toBe('BILLING_UNAVAILABLE');
    await t.processor.start();
    expect((await post(owner, 'cancel').expect(200)).body.data).toMatchObject({ cancelAtPeriodEnd: true });
  }, 60_000);
});
