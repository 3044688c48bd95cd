import type { Bearer } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { subscriptionUpdated } from '../../support/stripe-events';

describe('after a checkout', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const portal = (by: Bearer) => t.api.post('/billing/portal').set(by.bearer);
  const sync = (by: Bearer) => t.api.post('/billing/sync').set(by.bearer);

  describe('the billing portal', () => {
    it('can be opened once the tenant is a customer', async () => {
      const owner = await t.actors.owner();
      expect(codeOf(await portal(owner).expect(409))).toBe('NO_CUSTOMER');
      await billing.checkout(owner);
      expect((await portal(owner).expect(200)).body.data).toEqual({
        portalUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/portal\//),
      });
      expect(billing.postsTo('/v1/billing_portal/sessions').at(-1)!.params).toMatchObject({
        customer: billing.customersOf(owner)[0].id,
        return_url: 'http://localhost:5173/billing',
      });
    });

    it('changes the subscription: another plan, a cancellation scheduled and resumed, a pause, an end', async () => {
      const owner = await t.actors.owner();
      const { customerActions } = t.processor;
      await customerActions.pay(await billing.checkout(owner));
      await t.processor.drain();
      const id = (await billing.subscription(owner)).processorSubscriptionId!;
      const after = async (work: Promise<void>) => {
        await work;
        await t.processor.drain();
        return billing.subscription(owner);
      };
      expect(await after(customerActions.changePlan(id, 'price_business_monthly'))).toMatchObject({
        plan: 'Business',
        status: 'Trialing',
      });
      expect(await after(customerActions.cancelAtPeriodEnd(id))).toMatchObject({
        cancelAtPeriodEnd: true,
        status: 'Trialing',
      });
      expect(await after(customerActions.resume(id))).toMatchObject({ cancelAtPeriodEnd: false });
      expect(await after(t.processor.advance(15 * 86_400))).toMatchObject({ status: 'Active' });
      expect(await after(customerActions.pauseCollection(id))).toMatchObject({ status: 'Paused' });
      expect(await after(customerActions.resume(id))).toMatchObject({ status: 'Active' });
      expect(await after(customerActions.pause(id))).toMatchObject({ status: 'Paused' });
      expect(await after(customerActions.resume(id))).toMatchObject({ status: 'Active' });
      expect(await after(customerActions.cancelNow(id))).toMatchObject({ status: 'Canceled' });
      expect(await billing.notifications(owner)).toEqual([
        'SubscriptionCanceled',
        'TrialEnding',
        'SubscriptionCanceled',
      ]);
    });
  });

  it('a sync asks Stripe at most once per 5 seconds and tenant, also for several members', async () => {
    const owner = await t.actors.owner();
    const colleague = await t.actors.member(owner, 'Admin');
    expect((await sync(owner).expect(200)).body.data.plan).toBe('Free');
    await billing.checkout(owner);
    const [{ id: customer }] = billing.customersOf(owner);
    const lists = () =>
      t.processor.requests.filter(({ path, params }) => path === '/v1/subscriptions' && params.customer === customer)
        .length;
    const before = lists();
    t.processor.chaos.drop = 1; // an event that arrives during the call leads to a second one
    await t.processor.customerActions.pay(t.processor.openSessions(customer)[0].id);
    t.processor.chaos.drop = 0;
    const responses = await Promise.all([
      sync(owner).expect(200),
      sync(colleague).expect(200),
      sync(owner).expect(200),
    ]);
    // concurrent callers get the result of the one call
    expect(responses.map(({ body }) => body.data.plan)).toEqual(['Pro', 'Pro', 'Pro']);
    expect(lists() - before).toBe(1);
    t.clock.advance(6);
    await sync(colleague).expect(200);
    expect(lists() - before).toBe(2);
  });

  it('a tenant cannot be deleted while its subscription is live at Stripe, even after an override', async () => {
    const { owner, subscriber } = await billing.subscribed();
    const remove = () => t.api.delete('/tenants/current').set(owner.bearer);
    expect(codeOf(await remove().expect(409))).toBe('SUBSCRIPTION_ACTIVE');
    const admin = await t.actors.admin();
    await t.api
      .patch(`/admin/tenants/${owner.tenantId}/subscription`)
      .set(admin.bearer)
      .send({ status: 'Canceled' })
      .expect(200);
    expect(codeOf(await remove().expect(409))).toBe('SUBSCRIPTION_ACTIVE');
    await t.api.get('/tenants/current').set(owner.bearer).expect(200);
    await billing.take(subscriptionUpdated(subscriber, { status: 'canceled' }));
    await remove().expect(200);
    const begun = await t.actors.owner();
    await billing.checkout(begun);
    await t.api.delete('/tenants/current').set(begun.bearer).expect(200);
    expect(
      await t.database.query('SELECT FROM subscriptions WHERE tenant_id = ANY($1)', [[owner.tenantId, begun.tenantId]]),
    ).toEqual([]);
  });

  it('a deleted tenant is not charged: open sessions expire, and unknown subscriptions are canceled', async () => {
    const [waiting, unheard] = [await t.actors.owner(), await t.actors.owner()];
    await billing.checkout(waiting);
    t.processor.chaos.drop = 1;
    await t.processor.customerActions.pay(await billing.checkout(unheard));
    t.processor.chaos.drop = 0;
    for (const { bearer } of [waiting, unheard]) await t.api.delete('/tenants/current').set(bearer).expect(200);
    await billing.untilJobsAreDone('close-customer');
    expect(t.processor.openSessions(billing.customersOf(waiting)[0].id)).toEqual([]);
    const [subscription] = t.processor.subscriptions().filter(({ metadata }) => metadata.tenantId === unheard.tenantId);
    expect(subscription.status).toBe('canceled');
  });

  it('a tenant cannot see or change the subscription of another tenant', async () => {
    const { owner } = await billing.subscribed();
    const stranger = await t.actors.owner();
    expect(await billing.subscription(stranger)).toMatchObject({ tenantId: stranger.tenantId, plan: 'Free' });
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro' });
  });
});
