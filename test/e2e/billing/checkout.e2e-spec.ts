import type { Bearer, Member } from '../../support/actors';
import { codeOf } from '../../support/answers';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { subscriptionUpdated } from '../../support/processor-events';

describe('paying for a plan', () => {
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

  const ask = (by: Bearer, planName: unknown = 'Pro', app = t) =>
    app.api.post('/billing/checkout').set(by.bearer).send({ planName });
  const checkout = async (by: Bearer, planName = 'Pro') =>
    (await ask(by, planName).expect(200)).body.data.checkoutUrl as string;
  const portal = (by: Bearer) => t.api.post('/billing/portal').set(by.bearer);
  const sync = (by: Bearer) => t.api.post('/billing/sync').set(by.bearer);
  const customersOf = ({ tenantId }: Member) =>
    t.processor.customers().filter((customer) => 'metadata' in customer && customer.metadata.tenantId === tenantId);
  const requestsTo = (path: string) =>
    t.processor.requests.filter((request) => request.path === path && request.method === 'POST');

  describe('lists the plans', () => {
    it('with trial and limits, and whether one can have them', async () => {
      const owner = await t.actors.owner();
      expect((await t.api.get('/billing/plans').set(owner.bearer).expect(200)).body.data).toEqual({
        items: [
          { name: 'Free', trialDays: 0, limits: { projects: 3, invitationsPerDay: 20 }, available: true },
          { name: 'Pro', trialDays: 14, limits: { projects: null, invitationsPerDay: 500 }, available: true },
          { name: 'Business', trialDays: 14, limits: { projects: null, invitationsPerDay: 500 }, available: true },
        ],
        nextCursor: null,
      });
      await t.api.get('/billing/plans').expect(401);
    });

    it('and a tenant is Free from the moment it exists', async () => {
      const owner = await t.actors.owner();
      const free = {
        tenantId: owner.tenantId,
        plan: 'Free',
        status: 'Active',
        processorCustomerId: null,
        processorSubscriptionId: null,
        currentPeriodEnd: null,
        cancelAtPeriodEnd: false,
        trialEndsAt: null,
        updatedAt: null,
      };
      expect(await billing.subscription(owner)).toEqual(free);
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(free);
      const nobody = await t.actors.person();
      expect((await t.api.get('/auth/me').set(nobody.bearer).expect(200)).body.data.subscription).toBeNull();
      await t.api.get('/billing/subscription').set(nobody.bearer).expect(403);
    });
  });

  describe('begins', () => {
    it('at the processor, with all that the specification names', async () => {
      const owner = await t.actors.owner({ tenantName: 'Analytical Engines' });
      const url = await checkout(owner);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay\/cs_test_/);
      const [customer] = customersOf(owner);
      expect(customer).toMatchObject({
        name: 'Analytical Engines',
        email: owner.user.email,
        metadata: { tenantId: owner.tenantId },
      });
      expect(requestsTo('/v1/checkout/sessions').at(-1)).toMatchObject({
        params: {
          mode: 'subscription',
          customer: customer.id,
          client_reference_id: owner.tenantId,
          line_items: [{ price: 'price_pro_monthly', quantity: '1' }],
          metadata: { tenantId: owner.tenantId, plan: 'Pro' },
          subscription_data: { trial_period_days: '14', metadata: { tenantId: owner.tenantId } },
          success_url: 'http://localhost:5173/billing?success=true',
          cancel_url: 'http://localhost:5173/billing',
        },
        apiVersion: '2026-10-28.endive',
        telemetry: false,
        idempotencyKey: expect.any(String),
      });
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Free',
        status: 'Active',
        processorCustomerId: customer.id,
      });
    });

    it('and ends, when somebody pays, as a trial: known by the events, and at once by a sync', async () => {
      const owner = await t.actors.owner();
      await t.processor.customerActions.pay(await checkout(owner, 'Business'));
      const view = (await sync(owner).expect(200)).body.data;
      expect(view).toMatchObject({
        plan: 'Business',
        status: 'Trialing',
        processorSubscriptionId: expect.stringMatching(/^sub_/),
      });
      const trialDays = (Date.parse(view.trialEndsAt as string) - t.processor.now().getTime()) / 86_400_000;
      expect(trialDays).toBeGreaterThan(13.99);
      expect(trialDays).toBeLessThanOrEqual(14);
      await t.processor.drain();
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Trialing' });
    });

    it('with the waiting checkout where it is for the same plan; one for another plan is closed', async () => {
      const owner = await t.actors.owner();
      const pro = await checkout(owner, 'Pro');
      expect(await checkout(owner, 'Pro')).toBe(pro);
      const business = await checkout(owner, 'Business');
      expect(business).not.toBe(pro);
      expect(t.processor.openSessions(customersOf(owner)[0].id)).toMatchObject([{ url: business }]);
      await t.processor.customerActions.abandon(business);
      expect(await checkout(owner, 'Business')).toBe(business);
    });

    it('with a new checkout when the one before has expired, or its card was declined for good', async () => {
      const owner = await t.actors.owner();
      const first = await checkout(owner);
      await t.processor.customerActions.payWithDeclinedCard(first);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free' });
      expect(await checkout(owner)).toBe(first);
      await t.processor.advance(25 * 3600);
      expect(await checkout(owner)).not.toBe(first);
    });

    it('once: of many first checkouts at once, on two instances and for two plans, there is one customer and one open session', async () => {
      const owner = await t.actors.owner();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => ask(owner, i % 2 ? 'Pro' : 'Business', i % 3 ? t : other)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(customersOf(owner)).toHaveLength(1);
      expect(t.processor.openSessions(customersOf(owner)[0].id)).toHaveLength(1);
    }, 30_000);

    it('with the same customer when the answer to its making was lost', async () => {
      const owner = await t.actors.owner();
      t.processor.injectFault('disconnect-after', 1, '/v1/customers');
      await checkout(owner);
      expect(customersOf(owner)).toHaveLength(1);
    });

    it('without a second trial', async () => {
      const owner = await t.actors.owner();
      await t.processor.customerActions.pay(await checkout(owner));
      await sync(owner).expect(200);
      const { processorSubscriptionId } = await billing.subscription(owner);
      await t.processor.customerActions.cancelNow(processorSubscriptionId!);
      await t.processor.drain();
      expect((await billing.subscription(owner)).status).toBe('Canceled');
      const again = await checkout(owner, 'Business');
      expect(requestsTo('/v1/checkout/sessions').at(-1)!.params).not.toHaveProperty(
        'subscription_data.trial_period_days',
      );
      await t.processor.customerActions.pay(again);
      await t.processor.drain();
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Active' });
      expect(customersOf(owner)).toHaveLength(1);
    });

    it('without a second trial, also where a checkout with one still waits', async () => {
      const owner = await t.actors.owner();
      const withTrial = await checkout(owner);
      // Meanwhile the customer had a trial by another way, and it is over.
      await t.database.query('UPDATE subscriptions SET had_trial = true WHERE tenant_id = $1', [owner.tenantId]);
      const without = await checkout(owner);
      expect(without).not.toBe(withTrial);
      expect(t.processor.openSessions(customersOf(owner)[0].id)).toMatchObject([{ url: without }]);
    });

    it('anew for a customer that was deleted at the processor', async () => {
      const owner = await t.actors.owner();
      await checkout(owner);
      const [{ id }] = customersOf(owner);
      const key = Buffer.from(`${t.settings.processor.secretKey}:`).toString('base64');
      await fetch(`${t.processor.url}/v1/customers/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Basic ${key}` },
      });
      const session = t.processor.openSessions().find(({ customer }) => customer === id);
      expect(session).toBeDefined();
      await t.processor.advance(25 * 3600); // what was open for it has expired
      await t.processor.customerActions.pay(await checkout(owner));
      await t.processor.drain();
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({ plan: 'Pro', status: 'Trialing' });
      expect(view.processorCustomerId).not.toBe(id);
    });

    it('with the same customer though who made it died before it was stored, and days have passed', async () => {
      const owner = await t.actors.owner();
      await checkout(owner);
      await t.database.query('UPDATE subscriptions SET processor_customer_id = NULL WHERE tenant_id = $1', [
        owner.tenantId,
      ]);
      await t.processor.advance(3 * 86_400);
      await checkout(owner);
      expect(customersOf(owner)).toHaveLength(1);
    });

    it('also where the processor does not like the name or the address', async () => {
      const owner = await t.actors.owner();
      t.processor.injectFault('error', 3, 'POST /v1/customers/{id}');
      await checkout(owner);
    });

    it('not at all while another has the turn, and takes it over from one that has died', async () => {
      const owner = await t.actors.owner();
      await checkout(owner);
      await t.processor.advance(25 * 3600);
      await t.database.query('UPDATE subscriptions SET preparing_until = $2 WHERE tenant_id = $1', [
        owner.tenantId,
        new Date(t.clock.now().getTime() + 120_000),
      ]);
      expect(codeOf(await ask(owner).expect(409))).toBe('CONFLICT');
      t.clock.advance(121);
      await checkout(await t.actors.refreshed(owner));
    }, 30_000);

    it('without a trial where only the processor remembers one', async () => {
      const owner = await t.actors.owner();
      t.processor.chaos.drop = 1;
      await t.processor.customerActions.pay(await checkout(owner));
      const [subscription] = t.processor.subscriptions().filter(({ metadata }) => metadata.tenantId === owner.tenantId);
      await t.processor.customerActions.cancelNow(subscription.id);
      t.processor.chaos.drop = 0;
      await checkout(owner, 'Business');
      expect(requestsTo('/v1/checkout/sessions').at(-1)!.params).not.toHaveProperty(
        'subscription_data.trial_period_days',
      );
    });
  });

  describe('is refused', () => {
    it.each(['Free', 'Gold', 'pro', '', null, 7, undefined, ['Pro']])('for the plan %j', async (planName) => {
      const owner = await t.actors.owner();
      const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send({ planName }).expect(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { planName: [expect.any(String)] } });
    });

    it('with ALREADY_SUBSCRIBED while a subscription lives, in whatever state', async () => {
      const { owner, who } = await billing.subscribed();
      for (const status of ['active', 'trialing', 'past_due', 'paused']) {
        await billing.take(subscriptionUpdated(who, { status }));
        expect(codeOf(await ask(owner).expect(409))).toBe('ALREADY_SUBSCRIBED');
      }
    });

    it('with ALREADY_SUBSCRIBED when only the processor knows so far, which is then known here too', async () => {
      const owner = await t.actors.owner();
      t.processor.chaos.drop = 1;
      await t.processor.customerActions.pay(await checkout(owner));
      t.processor.chaos.drop = 0;
      expect(codeOf(await ask(owner, 'Business').expect(409))).toBe('ALREADY_SUBSCRIBED');
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    });

    it('to who has not the permission, is in no tenant, or is an admin acting as the Owner', async () => {
      const owner = await t.actors.owner();
      const [manager, reader] = [await t.actors.member(owner, 'Admin'), await t.actors.member(owner, 'Member')];
      const accountant = await t.actors.member(owner, ['tenant.billing.read', 'tenant.billing.manage']);
      const impersonating = await t.actors.impersonating(await t.actors.admin(), owner);
      for (const path of ['checkout', 'portal']) {
        for (const by of [manager, reader, await t.actors.person()]) {
          expect(
            codeOf(await t.api.post(`/billing/${path}`).set(by.bearer).send({ planName: 'Pro' }).expect(403)),
          ).toBe('FORBIDDEN');
        }
        expect(
          codeOf(await t.api.post(`/billing/${path}`).set(impersonating.bearer).send({ planName: 'Pro' }).expect(403)),
        ).toBe('NOT_WHILE_IMPERSONATING');
        await t.api.post(`/billing/${path}`).send({ planName: 'Pro' }).expect(401);
      }
      await sync(manager).expect(200);
      await sync(reader).expect(403);
      await t.api.get('/billing/subscription').set(reader.bearer).expect(403);
      await checkout(accountant);
    });

    it('with BILLING_UNAVAILABLE while the processor is away, throttles or errs; the next attempt goes on where it was', async () => {
      const owner = await t.actors.owner();
      for (const how of ['error', 'disconnect'] as const) {
        t.processor.injectFault(how, 3, '/v1/customers');
        expect(codeOf(await ask(owner).expect(503))).toBe('BILLING_UNAVAILABLE');
      }
      t.processor.injectFault('rate-limit', 1, '/v1/customers');
      const throttled = await ask(owner).expect(503);
      expect(throttled.headers['retry-after']).toBe('1');
      await t.processor.stop();
      expect(codeOf(await ask(owner).expect(503))).toBe('BILLING_UNAVAILABLE');
      expect(codeOf(await sync(await billing.subscribedOffline()).expect(503))).toBe('BILLING_UNAVAILABLE');
      await t.processor.start();
      await checkout(owner);
      expect(customersOf(owner)).toHaveLength(1);
    }, 40_000);

    it('with BILLING_UNAVAILABLE, and the plans not available, where no processor is set up', async () => {
      const without = await TestApp.start({ beside: t });
      const owner = await without.actors.owner();
      for (const path of ['checkout', 'portal', 'sync']) {
        expect(
          codeOf(await without.api.post(`/billing/${path}`).set(owner.bearer).send({ planName: 'Pro' }).expect(503)),
        ).toBe('BILLING_UNAVAILABLE');
      }
      expect(codeOf(await without.api.post('/webhooks/stripe').send({}).expect(503))).toBe('BILLING_UNAVAILABLE');
      const { items } = (await without.api.get('/billing/plans').set(owner.bearer).expect(200)).body.data;
      expect(items.map(({ available }: { available: boolean }) => available)).toEqual([true, false, false]);
      expect((await without.api.get('/billing/subscription').set(owner.bearer).expect(200)).body.data.plan).toBe(
        'Free',
      );
      await without.close();
    });
  });

  describe('is managed in the portal', () => {
    it('once there is a customer', async () => {
      const owner = await t.actors.owner();
      expect(codeOf(await portal(owner).expect(409))).toBe('NO_CUSTOMER');
      await checkout(owner);
      expect((await portal(owner).expect(200)).body.data).toEqual({
        portalUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/portal\//),
      });
      expect(requestsTo('/v1/billing_portal/sessions').at(-1)!.params).toMatchObject({
        customer: customersOf(owner)[0].id,
        return_url: 'http://localhost:5173/billing',
      });
    });

    it('and what is done there arrives: another plan, an end that is planned and taken back, a pause, an end', async () => {
      const owner = await t.actors.owner();
      const { customerActions } = t.processor;
      await customerActions.pay(await checkout(owner));
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

  it('is read at the processor once in 5 seconds for a tenant, whoever asks', async () => {
    const owner = await t.actors.owner();
    const colleague = await t.actors.member(owner, 'Admin');
    expect((await sync(owner).expect(200)).body.data.plan).toBe('Free');
    await checkout(owner);
    const lists = () => t.processor.calls.get('GET /v1/subscriptions') ?? 0;
    const before = lists();
    await t.processor.customerActions.pay(t.processor.openSessions(customersOf(owner)[0].id)[0].id);
    const answers = await Promise.all([sync(owner).expect(200), sync(colleague).expect(200), sync(owner).expect(200)]);
    // whoever waits gets what was read
    expect(answers.map(({ body }) => body.data.plan)).toEqual(['Pro', 'Pro', 'Pro']);
    expect(lists() - before).toBe(1);
    t.clock.advance(6);
    await sync(colleague).expect(200);
    expect(lists() - before).toBe(2);
  });

  it('keeps a tenant from being deleted while the subscription lives at the processor, whatever an operator has set here', async () => {
    const { owner, who } = await billing.subscribed();
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
    await billing.take(subscriptionUpdated(who, { status: 'canceled' }));
    await remove().expect(200);
    const begun = await t.actors.owner();
    await checkout(begun);
    await t.api.delete('/tenants/current').set(begun.bearer).expect(200);
    expect(
      await t.database.query('SELECT FROM subscriptions WHERE tenant_id = ANY($1)', [[owner.tenantId, begun.tenantId]]),
    ).toEqual([]);
  });

  it('is asked of nobody when the tenant was deleted meanwhile: what waits is closed, what was paid unheard is ended', async () => {
    const [waiting, unheard] = [await t.actors.owner(), await t.actors.owner()];
    await checkout(waiting);
    t.processor.chaos.drop = 1;
    await t.processor.customerActions.pay(await checkout(unheard));
    t.processor.chaos.drop = 0;
    for (const { bearer } of [waiting, unheard]) await t.api.delete('/tenants/current').set(bearer).expect(200);
    await billing.untilJobsAreDone('close-customer');
    expect(t.processor.openSessions(customersOf(waiting)[0].id)).toEqual([]);
    const [subscription] = t.processor.subscriptions().filter(({ metadata }) => metadata.tenantId === unheard.tenantId);
    expect(subscription.status).toBe('canceled');
  });

  it('is another tenant’s matter: their subscription is not seen, nor found by their ids', async () => {
    const { owner } = await billing.subscribed();
    const stranger = await t.actors.owner();
    expect(await billing.subscription(stranger)).toMatchObject({ tenantId: stranger.tenantId, plan: 'Free' });
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro' });
  });
});
