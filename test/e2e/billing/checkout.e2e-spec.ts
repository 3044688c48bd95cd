import type { Bearer } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { subscriptionDeleted, subscriptionUpdated } from '../../support/stripe-events';

describe('checkout', () => {
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

  const sync = (by: Bearer) => t.api.post('/billing/sync').set(by.bearer);

  describe('a tenant that never subscribed', () => {
    it('is on the Free plan', async () => {
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
        interval: null,
        currency: null,
        seats: null,
        discount: null,
        pendingChange: null,
        updatedAt: null,
      };
      expect(await billing.subscription(owner)).toEqual(free);
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(free);
      const nobody = await t.actors.signedInUser();
      expect((await t.api.get('/auth/me').set(nobody.bearer).expect(200)).body.data.subscription).toBeNull();
      await t.api.get('/billing/subscription').set(nobody.bearer).expect(403);
    });
  });

  describe('a started checkout', () => {
    it('creates a session at Stripe with every parameter of the specification', async () => {
      const owner = await t.actors.owner({ tenantName: 'Analytical Engines' });
      const url = await billing.checkout(owner);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay\/cs_test_/);
      const [customer] = billing.customersOf(owner);
      expect(customer).toMatchObject({
        name: 'Analytical Engines',
        email: owner.user.email,
        metadata: { tenantId: owner.tenantId },
      });
      expect(billing.postsTo('/v1/checkout/sessions').at(-1)).toMatchObject({
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

    it('leads to a trial after payment, by the events and immediately by a sync', async () => {
      const owner = await t.actors.owner();
      await t.processor.customerActions.pay(await billing.checkout(owner, 'Business'));
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

    it('reuses the open session of the same plan and expires one of another plan', async () => {
      const owner = await t.actors.owner();
      const pro = await billing.checkout(owner, 'Pro');
      expect(await billing.checkout(owner, 'Pro')).toBe(pro);
      const business = await billing.checkout(owner, 'Business');
      expect(business).not.toBe(pro);
      expect(t.processor.openSessions(billing.customersOf(owner)[0].id)).toMatchObject([{ url: business }]);
      await t.processor.customerActions.abandon(business);
      expect(await billing.checkout(owner, 'Business')).toBe(business);
    });

    it('creates a new session after the previous one has expired or its card was declined', async () => {
      const owner = await t.actors.owner();
      const first = await billing.checkout(owner);
      await t.processor.customerActions.payWithDeclinedCard(first);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free' });
      expect(await billing.checkout(owner)).toBe(first);
      await t.processor.advance(25 * 3600);
      expect(await billing.checkout(owner)).not.toBe(first);
    });

    it('creates one customer and one open session for concurrent requests on two instances for two plans', async () => {
      const owner = await t.actors.owner();
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          billing.requestCheckout(owner, i % 2 ? 'Pro' : 'Business', i % 3 ? t : other),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(billing.customersOf(owner)).toHaveLength(1);
      expect(t.processor.openSessions(billing.customersOf(owner)[0].id)).toHaveLength(1);
    }, 30_000);

    it('is refused at once if more requests wait than can be served, and works again', async () => {
      const owner = await t.actors.owner();
      await billing.checkout(owner);
      const lease = (until: string) =>
        t.database.query(`UPDATE subscriptions SET preparing_until = ${until} WHERE tenant_id = $1`, [owner.tenantId]);
      await lease(`now() + interval '1 hour'`);
      const requests = Array.from({ length: 12 }, () => billing.requestCheckout(owner, 'Pro'));
      const first = await Promise.race(requests.map(async (request) => (await request).status));
      expect(first).toBe(409); // the others wait for the lease
      await lease('NULL');
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      // a request that arrives late finds the lease free
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    }, 30_000);

    it('uses the same customer after the response of its creation was lost', async () => {
      const owner = await t.actors.owner();
      t.processor.injectFault('disconnect-after', 1, '/v1/customers');
      await billing.checkout(owner);
      expect(billing.customersOf(owner)).toHaveLength(1);
    });

    it('has no second trial', async () => {
      const owner = await t.actors.owner();
      await t.processor.customerActions.pay(await billing.checkout(owner));
      await sync(owner).expect(200);
      const { processorSubscriptionId } = await billing.subscription(owner);
      await t.processor.customerActions.cancelNow(processorSubscriptionId!);
      await t.processor.drain();
      expect((await billing.subscription(owner)).status).toBe('Canceled');
      const again = await billing.checkout(owner, 'Business');
      expect(billing.postsTo('/v1/checkout/sessions').at(-1)!.params).not.toHaveProperty(
        'subscription_data.trial_period_days',
      );
      await t.processor.customerActions.pay(again);
      await t.processor.drain();
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Active' });
      expect(billing.customersOf(owner)).toHaveLength(1);
    });

    it('has a trial after a subscription that was free of charge without one, but not after a trial', async () => {
      for (const trialEnd of [null, 1_750_100_000]) {
        const { owner, subscriber } = await billing.subscribed({ trial: true }); // as a full discount looks, too
        expect(codeOf(await billing.requestCheckout(owner).expect(409))).toBe('ALREADY_SUBSCRIBED');
        const end = subscriptionDeleted(subscriber, new Date(1_760_000_000_000));
        await billing.take({ ...end, data: { object: { ...end.data.object, trial_end: trialEnd } } });
        await billing.checkout(owner);
        const { subscription_data: data } = billing.postsTo('/v1/checkout/sessions').at(-1)!.params;
        expect(data).toHaveProperty('metadata');
        expect('trial_period_days' in (data as object)).toBe(trialEnd === null);
      }
    });

    it('has no second trial, even if a session with a trial is still open', async () => {
      const owner = await t.actors.owner();
      const withTrial = await billing.checkout(owner);
      // In the meantime the customer had a trial that was started elsewhere, and it has ended.
      await t.database.query('UPDATE subscriptions SET had_trial = true WHERE tenant_id = $1', [owner.tenantId]);
      const without = await billing.checkout(owner);
      expect(without).not.toBe(withTrial);
      expect(t.processor.openSessions(billing.customersOf(owner)[0].id)).toMatchObject([{ url: without }]);
    });

    it('creates a new customer if the previous one was deleted at Stripe', async () => {
      const owner = await t.actors.owner();
      await billing.checkout(owner);
      const [{ id }] = billing.customersOf(owner);
      const key = Buffer.from(`${t.settings.processor.secretKey}:`).toString('base64');
      await fetch(`${t.processor.url}/v1/customers/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Basic ${key}` },
      });
      const session = t.processor.openSessions().find(({ customer }) => customer === id);
      expect(session).toBeDefined();
      await t.processor.advance(25 * 3600); // what was open for it has expired
      await t.processor.customerActions.pay(await billing.checkout(owner));
      await t.processor.drain();
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({ plan: 'Pro', status: 'Trialing' });
      expect(view.processorCustomerId).not.toBe(id);
    });

    it('creates a new customer if Stripe does not know the previous one: other account or deleted data', async () => {
      const owner = await billing.subscribedOffline();
      const { processorCustomerId: unknown } = await billing.subscription(owner);
      for (const path of ['/billing/sync', '/billing/checkout'])
        await t.api.post(path).set(owner.bearer).send({ planName: 'Pro' }).expect(200);
      const [{ id }] = billing.customersOf(owner);
      expect(id).not.toBe(unknown);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free', processorCustomerId: id });
    });

    it('finds the customer of a request that crashed days ago before storing it', async () => {
      const owner = await t.actors.owner();
      await billing.checkout(owner);
      await t.database.query('UPDATE subscriptions SET processor_customer_id = NULL WHERE tenant_id = $1', [
        owner.tenantId,
      ]);
      await t.processor.advance(3 * 86_400);
      await billing.checkout(owner);
      expect(billing.customersOf(owner)).toHaveLength(1);
    });

    it('is created even if Stripe rejects the name or the email', async () => {
      const owner = await t.actors.owner();
      t.processor.injectFault('error', 3, 'POST /v1/customers/{id}');
      await billing.checkout(owner);
    });

    it('is refused while another request holds the lease, and allowed after the lease has expired', async () => {
      const owner = await t.actors.owner();
      await billing.checkout(owner);
      await t.processor.advance(25 * 3600);
      await t.database.query('UPDATE subscriptions SET preparing_until = $2 WHERE tenant_id = $1', [
        owner.tenantId,
        new Date(t.clock.now().getTime() + 120_000),
      ]);
      expect(codeOf(await billing.requestCheckout(owner).expect(409))).toBe('CONFLICT');
      t.clock.advance(121);
      await billing.checkout(await t.actors.refreshed(owner));
    }, 30_000);

    it('has no trial if only Stripe knows of an earlier one', async () => {
      const owner = await t.actors.owner();
      t.processor.chaos.drop = 1;
      await t.processor.customerActions.pay(await billing.checkout(owner));
      const [subscription] = t.processor.subscriptions().filter(({ metadata }) => metadata.tenantId === owner.tenantId);
      await t.processor.customerActions.cancelNow(subscription.id);
      t.processor.chaos.drop = 0;
      await billing.checkout(owner, 'Business');
      expect(billing.postsTo('/v1/checkout/sessions').at(-1)!.params).not.toHaveProperty(
        'subscription_data.trial_period_days',
      );
    });
  });

  describe('an incomplete first invoice', () => {
    /** A tenant that had its trial, and pays at once. */
    const pastTrial = async () => {
      const owner = await t.actors.owner();
      const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
        VALUES ($1, 'Free', 'Active', true, now())`;
      await t.database.query(sql, [owner.tenantId]);
      return owner;
    };

    it('blocks no new checkout: the open one is expired at once', async () => {
      const owner = await pastTrial();
      const first = await billing.checkout(owner);
      await t.processor.customerActions.payIncompletely(first);
      await sync(owner).expect(200);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      const second = await billing.checkout(owner, 'Business');
      expect(t.processor.openSessions(billing.customersOf(owner)[0].id)).toMatchObject([{ url: second }]);
      await t.processor.customerActions.pay(second);
      await t.processor.drain();
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Active' });
    });

    it('without an open checkout may still be paid, and blocks', async () => {
      const owner = await pastTrial();
      const first = await billing.checkout(owner);
      await t.processor.customerActions.payIncompletely(first);
      t.processor.forget(/cs_test_\w+/.exec(first)![0]);
      expect(codeOf(await billing.requestCheckout(owner, 'Business').expect(409))).toBe('ALREADY_SUBSCRIBED');
    });
  });

  describe('a refused checkout', () => {
    it.each(['Free', 'Gold', 'pro', '', null, 7, undefined, ['Pro']])(
      'is a validation error for the plan %j',
      async (planName) => {
        const owner = await t.actors.owner();
        const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send({ planName }).expect(400);
        expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { planName: [expect.any(String)] } });
      },
    );

    it('is ALREADY_SUBSCRIBED while a subscription is live, in any status', async () => {
      const { owner, subscriber } = await billing.subscribed();
      for (const status of ['active', 'trialing', 'past_due', 'paused']) {
        await billing.take(subscriptionUpdated(subscriber, { status }));
        expect(codeOf(await billing.requestCheckout(owner).expect(409))).toBe('ALREADY_SUBSCRIBED');
      }
    });

    it('is ALREADY_SUBSCRIBED if only Stripe knows of the subscription, which is then stored', async () => {
      const owner = await t.actors.owner();
      t.processor.chaos.drop = 1;
      await t.processor.customerActions.pay(await billing.checkout(owner));
      t.processor.chaos.drop = 0;
      expect(codeOf(await billing.requestCheckout(owner, 'Business').expect(409))).toBe('ALREADY_SUBSCRIBED');
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    });

    it('is FORBIDDEN without the permission, without an active tenant and while impersonating the Owner', async () => {
      const owner = await t.actors.owner();
      const [manager, reader] = [await t.actors.member(owner, 'Admin'), await t.actors.member(owner, 'Member')];
      const accountant = await t.actors.member(owner, ['tenant.billing.read', 'tenant.billing.manage']);
      const impersonating = await t.actors.impersonating(await t.actors.admin(), owner);
      for (const path of ['checkout', 'portal']) {
        for (const by of [manager, reader, await t.actors.signedInUser()]) {
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
      await billing.checkout(accountant);
    });

    it('is BILLING_UNAVAILABLE while Stripe is down, throttles or fails; the next attempt continues', async () => {
      const owner = await t.actors.owner();
      for (const how of ['error', 'disconnect'] as const) {
        t.processor.injectFault(how, 3, '/v1/customers');
        expect(codeOf(await billing.requestCheckout(owner).expect(503))).toBe('BILLING_UNAVAILABLE');
      }
      t.processor.injectFault('rate-limit', 1, '/v1/customers');
      const throttled = await billing.requestCheckout(owner).expect(503);
      expect(throttled.headers['retry-after']).toBe('1');
      await t.processor.stop();
      expect(codeOf(await billing.requestCheckout(owner).expect(503))).toBe('BILLING_UNAVAILABLE');
      expect(codeOf(await sync(await billing.subscribedOffline()).expect(503))).toBe('BILLING_UNAVAILABLE');
      await t.processor.start();
      await billing.checkout(owner);
      expect(billing.customersOf(owner)).toHaveLength(1);
    }, 40_000);

    it('is BILLING_UNAVAILABLE without a Stripe key, and no paid plan is available', async () => {
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
});
