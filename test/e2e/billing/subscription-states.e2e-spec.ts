import { CommandBus } from '@nestjs/cqrs';
import { RemindOfTrialEnds } from '../../../src/billing/subscriptions/commands/remind-of-trial-ends';
import { SendBillingMail } from '../../../src/billing/subscriptions/commands/send-billing-mail';
import { newId } from '../../../src/platform/ids';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import {
  checkoutCompleted,
  event,
  invoiceEvent,
  subscriber,
  subscriptionDeleted,
  subscriptionObject,
  subscriptionUpdated,
  type Subscriber,
} from '../../support/stripe-events';

/** The data of an audit entry of a change. */
interface Remembered {
  readonly before: { readonly status: string };
  readonly after: { readonly status: string };
  readonly cause: string;
  readonly reason?: string;
}

const FAILED = 'Payment failed for Acme';
const RECOVERED = 'Payment received for Acme';
const PLANNED = 'Your subscription for Acme will end';
const ENDED = 'Your subscription for Acme has ended';
const TRIAL = 'Your trial for Acme ends soon';
const DAY = 86_400;

/** The rows of the table in the specification (States and transitions, Subscription status). */
describe('a subscription', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  /** A second later than any before, because events of one second count as simultaneous. */
  let second = 1_760_000_000;
  const next = () => new Date((second += 10) * 1000);

  /** A tenant whose subscription has reached a status through Stripe events. */
  async function inState(
    status: 'Active' | 'Trialing' | 'PastDue' | 'Canceled' | 'Paused',
  ): Promise<{ owner: Member; who: Subscriber }> {
    const { owner, who } = await billing.subscribed({ trial: status === 'Trialing' });
    if (status === 'PastDue') await billing.take(invoiceEvent('payment_failed', who, next()));
    if (status === 'Canceled') await billing.take(subscriptionDeleted(who, next()));
    if (status === 'Paused') await billing.take(subscriptionUpdated(who, { status: 'paused' }, next()));
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status });
    return { owner, who };
  }

  /** The notifications and emails after an event and its repetition. */
  async function messagesFrom(owner: Member, work: () => Promise<void>) {
    const [mails, notes] = [await billing.mails(owner), await billing.notifications(owner)];
    await work();
    return {
      mails: (await billing.mails(owner)).slice(mails.length),
      notes: (await billing.notifications(owner)).slice(notes.length),
    };
  }
  const nothing = { mails: [], notes: [] };

  /** The data of an Owner's notifications, oldest first. */
  const dataOf = async (owner: Member) =>
    ((await t.api.get('/notifications').set(owner.bearer).expect(200)).body.data.items as { data: object }[])
      .map(({ data }) => data)
      .reverse();

  /** The version of the row, which changes with every write. */
  const version = async ({ tenantId }: Member) => {
    const versions = await t.database.query('SELECT xmin::text, ctid::text FROM subscriptions WHERE tenant_id = $1', [
      tenantId,
    ]);
    expect(versions).toHaveLength(1);
    return versions[0];
  };

  describe('after a completed checkout', () => {
    it('is Trialing with plan, customer and subscription if a trial started, visible to the next request', async () => {
      const owner = await t.actors.owner();
      await t.api.get('/auth/me').set(owner.bearer).expect(200);
      const who = subscriber(owner.tenantId);
      await billing.take(checkoutCompleted(who, { trial: true, plan: 'Business' }, next()));
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({
        tenantId: owner.tenantId,
        plan: 'Business',
        status: 'Trialing',
        processorCustomerId: who.customerId,
        processorSubscriptionId: who.subscriptionId,
        trialEndsAt: new Date((second + 14 * 86_400) * 1000).toISOString(),
        cancelAtPeriodEnd: false,
      });
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(view);
    });

    it('is Active without a trial', async () => {
      const { owner } = await billing.subscribed({ trial: false });
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Active', trialEndsAt: null });
    });

    it('has the trial of the subscription object if the event contains it', async () => {
      const owner = await t.actors.owner();
      const who = subscriber(owner.tenantId);
      const subscription = subscriptionObject(who, { status: 'trialing', rest: { trial_end: 1_900_000_000 } });
      await billing.take(checkoutCompleted(who, { trial: false, rest: { subscription } }, next()));
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Trialing',
        trialEndsAt: new Date(1_900_000_000_000).toISOString(),
      });
    });

    it('is unchanged if it is already known', async () => {
      const { owner, who } = await inState('PastDue');
      await billing.take(checkoutCompleted(who, { trial: false }, next()));
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      expect(await t.database.query('SELECT FROM subscriptions WHERE tenant_id = $1', [owner.tenantId])).toHaveLength(
        1,
      );
    });

    it('is a new one after a canceled one', async () => {
      const { owner, who } = await inState('Canceled');
      const again = { ...who, subscriptionId: subscriber(owner.tenantId).subscriptionId };
      await billing.take(checkoutCompleted(again, { trial: false, plan: 'Business' }, next()));
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Business',
        status: 'Active',
        processorSubscriptionId: again.subscriptionId,
        trialEndsAt: null,
      });
    });

    it('stays Free while the payment is processing, and if the checkout was for something else', async () => {
      const owner = await t.actors.owner();
      const who = subscriber(owner.tenantId);
      await billing.take(
        checkoutCompleted(who, { trial: false, rest: { payment_status: 'unpaid' } }, next()),
        checkoutCompleted(who, { rest: { mode: 'payment', subscription: null } }, next()),
      );
      expect(await billing.subscription(owner)).toMatchObject({
        plan: 'Free',
        status: 'Active',
        processorSubscriptionId: null,
      });
    });
  });

  describe('after an update', () => {
    it('has the new plan, status, period and scheduled end; an update without a change writes nothing', async () => {
      const { owner, who } = await inState('Active');
      const facts = {
        price: 'price_business_monthly',
        status: 'past_due',
        periodEnd: 1_888_888_888,
        rest: { cancel_at_period_end: true },
      };
      await billing.take(subscriptionUpdated(who, facts, next()));
      const view = await billing.subscription(owner);
      expect(view).toMatchObject({
        plan: 'Business',
        status: 'PastDue',
        currentPeriodEnd: new Date(1_888_888_888_000).toISOString(),
        cancelAtPeriodEnd: true,
      });
      const row = await version(owner);
      await billing.take(subscriptionUpdated(who, facts, next()));
      expect(await billing.subscription(owner)).toEqual(view); // updatedAt too
      expect(await version(owner)).toEqual(row);
      await billing.take(subscriptionUpdated(who, { ...facts, status: 'active' }, next()));
      expect(await version(owner)).not.toEqual(row);
    });

    it.each([
      ['trialing', null, 'Trialing'],
      ['active', null, 'Active'],
      ['active', { behavior: 'void', resumes_at: null }, 'Paused'],
      ['trialing', { behavior: 'void', resumes_at: null }, 'Trialing'],
      ['past_due', null, 'PastDue'],
      ['past_due', { behavior: 'void', resumes_at: null }, 'PastDue'],
      ['unpaid', null, 'PastDue'],
      ['incomplete', null, 'PastDue'],
      ['paused', null, 'Paused'],
      ['canceled', null, 'Canceled'],
      ['incomplete_expired', null, 'Canceled'],
    ])('with the Stripe status %s and pause %j is %s', async (status, pause, expected) => {
      const { owner, who } = await inState(expected === 'Active' ? 'Paused' : 'Active');
      await billing.take(subscriptionUpdated(who, { status, rest: { pause_collection: pause } }, next()));
      expect((await billing.subscription(owner)).status).toBe(expected);
    });

    it.each(['constructor', 'on_hold', '__proto__'])(
      'is unchanged by the unknown Stripe status %s, with a remark for operators',
      async (status) => {
        const { owner, who } = await inState('Active');
        const before = await billing.subscription(owner);
        const updated = subscriptionUpdated(who, { status, price: 'price_business_monthly' }, next());
        await billing.take(updated);
        expect(await billing.subscription(owner)).toEqual(before);
        expect(await billing.stored(updated)).toMatchObject([
          { status: 'processed', error: expect.stringContaining('status of the subscription is unknown') },
        ]);
      },
    );

    it('keeps plan and dates and takes the status if the price is unknown', async () => {
      const { owner, who } = await inState('Active');
      const { currentPeriodEnd } = await billing.subscription(owner);
      const updated = subscriptionUpdated(who, { price: 'price_of_somebody_else', status: 'past_due' }, next());
      await billing.take(updated);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', currentPeriodEnd, status: 'PastDue' });
      expect(await billing.stored(updated)).toMatchObject([
        { status: 'processed', error: expect.stringContaining('price') },
      ]);
    });

    it.each([
      ['at the end of the period', { cancel_at_period_end: true }],
      ['at a given time, as with flexible billing', { cancel_at: 1_900_000_000 }],
    ])('notifies the Owner once per cancellation %s', async (_when, rest) => {
      const { owner, who } = await inState('Active');
      const decide = (ending: object) => billing.take(subscriptionUpdated(who, { rest: ending }, next()));
      expect(await messagesFrom(owner, () => decide(rest))).toEqual({
        mails: [PLANNED],
        notes: ['SubscriptionCanceled'],
      });
      expect(await billing.subscription(owner)).toMatchObject({ cancelAtPeriodEnd: true, status: 'Active' });
      expect(await messagesFrom(owner, () => decide(rest))).toEqual(nothing);
      expect(await messagesFrom(owner, () => decide({}))).toEqual(nothing);
      expect(await messagesFrom(owner, () => decide(rest))).toEqual({
        mails: [PLANNED],
        notes: ['SubscriptionCanceled'],
      });
    });

    it('notifies the Owner of the date on which it will end, and of the date on which it ended', async () => {
      const { owner, who } = await inState('Active');
      const endsAt = second + 40 * DAY;
      const facts = { periodEnd: second + 20 * DAY, rest: { cancel_at: endsAt } };
      await billing.take(subscriptionUpdated(who, facts, next()));
      const ended = { ...subscriptionObject(who, facts), status: 'canceled', ended_at: endsAt + 7 };
      await billing.take(event('customer.subscription.deleted', ended, next()));
      const moment = (at: number) => new Date(at * 1000).toISOString();
      expect(await dataOf(owner)).toEqual([
        { plan: 'Pro', endsAt: moment(endsAt), hasEnded: false },
        { plan: 'Pro', endsAt: moment(endsAt + 7), hasEnded: true },
      ]);
      expect((await billing.mails(owner)).sort()).toEqual([ENDED, PLANNED]);
      const { text } = t.mailbox.to(owner.user.email).find(({ subject }) => subject === PLANNED)!;
      expect(text).toContain(
        new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(endsAt * 1000)),
      );
    });

    it('that was never paid and expires notifies nobody', async () => {
      const { owner, who } = await inState('Active');
      const expire = () =>
        billing.take(
          subscriptionUpdated(who, { status: 'incomplete' }, next()),
          subscriptionUpdated(who, { status: 'incomplete_expired' }, next()),
        );
      expect(await messagesFrom(owner, expire)).toEqual(nothing);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled' });
    });

    it('notifies of a failed payment from the update alone, in whichever order the two events arrive', async () => {
      const { owner, who } = await inState('Active');
      const at = next();
      const updated = () => billing.take(subscriptionUpdated(who, { status: 'past_due' }, at));
      expect(await messagesFrom(owner, updated)).toEqual({ mails: [FAILED], notes: ['SubscriptionPastDue'] });
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', who, at)))).toEqual(nothing);
      const recovered = () => billing.take(subscriptionUpdated(who, { status: 'active' }, next()));
      expect(await messagesFrom(owner, recovered)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_succeeded', who, next())))).toEqual(
        nothing,
      );
    });
  });

  describe('after a deletion', () => {
    it.each(['Active', 'Trialing', 'PastDue', 'Paused'] as const)(
      'that was %s is Canceled, and the Owner gets one email and one notification',
      async (state) => {
        const { owner, who } = await inState(state);
        const end = () =>
          billing.take(subscriptionDeleted(who, next()), subscriptionUpdated(who, { status: 'canceled' }, next()));
        expect(await messagesFrom(owner, end)).toEqual({ mails: [ENDED], notes: ['SubscriptionCanceled'] });
        expect(await billing.subscription(owner)).toMatchObject({ status: 'Canceled', plan: 'Pro' });
      },
    );

    it('is unchanged by a second deletion', async () => {
      const { owner, who } = await inState('Canceled');
      const before = await billing.subscription(owner);
      expect(await messagesFrom(owner, () => billing.take(subscriptionDeleted(who, next())))).toEqual(nothing);
      expect(await billing.subscription(owner)).toEqual(before);
    });

    it('is not revived by later events about the same Stripe subscription', async () => {
      const { owner, who } = await inState('Canceled');
      await billing.take(
        subscriptionUpdated(who, { status: 'active' }, next()),
        checkoutCompleted(who, { trial: false }, next()),
        invoiceEvent('payment_failed', who, next()),
        invoiceEvent('payment_succeeded', who, next()),
      );
      expect((await billing.subscription(owner)).status).toBe('Canceled');
    });
  });

  describe('after a failed payment', () => {
    it.each(['Active', 'Trialing', 'Paused'] as const)(
      'that was %s is PastDue, and the Owner gets one email and one notification',
      async (state) => {
        const { owner, who } = await inState(state);
        const failed = invoiceEvent('payment_failed', who, next());
        expect(await messagesFrom(owner, () => billing.take(failed))).toEqual({
          mails: [FAILED],
          notes: ['SubscriptionPastDue'],
        });
        expect((await billing.subscription(owner)).status).toBe('PastDue');
        expect(await messagesFrom(owner, () => billing.take(failed, failed))).toEqual(nothing);
      },
    );

    it('that was already PastDue stays PastDue, and nobody is notified', async () => {
      const { owner, who } = await inState('PastDue');
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', who, next())))).toEqual(
        nothing,
      );
      expect((await billing.subscription(owner)).status).toBe('PastDue');
    });

    it('is unchanged if the invoice is for something else', async () => {
      const { owner, who } = await inState('Active');
      const object = { ...invoiceEvent('payment_failed', who).data.object, parent: null };
      const other = event('invoice.payment_failed', object, next());
      expect(await messagesFrom(owner, () => billing.take(other))).toEqual(nothing);
      expect(await billing.stored(other)).toMatchObject([{ status: 'ignored' }]);
      await billing.take(invoiceEvent('payment_failed', { ...who, subscriptionId: 'sub_other' }, next()));
      expect((await billing.subscription(owner)).status).toBe('Active');
    });

    it('sends the email to the address that the Owner has at that time', async () => {
      const { owner, who } = await inState('Active');
      const heir = await t.actors.member(owner, 'Member');
      await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: heir.user.id }).expect(200);
      await billing.take(invoiceEvent('payment_failed', who, next()));
      expect((await billing.mails(heir)).sort()).toEqual([FAILED, 'You are now the Owner of Acme']);
      expect(await billing.mails(owner)).toEqual([]);
      expect(await billing.notifications(heir)).toEqual(['SubscriptionPastDue']);
      const { text } = t.mailbox.to(heir.user.email).find(({ subject }) => subject === FAILED)!;
      expect(text).toContain(`http://localhost:5173/billing?tenant=${owner.tenantId}\n`);
    });
  });

  describe('billing emails', () => {
    const send = (email: string, tenantId: string | undefined, tenantName: string) => {
      const facts = { name: 'Ada', tenantId, tenantName, plan: 'Pro', endsAt: null } as const;
      return t.nest.get(CommandBus).execute(new SendBillingMail(newId(), 'SubscriptionPastDue', email, facts));
    };

    it('are rate limited per workspace, even if two have the same name', async () => {
      const { email } = await t.actors.user();
      const [one, other] = [newId(), newId()];
      for (const tenantId of [one, one, one, other]) await send(email, tenantId, 'Acme');
      const tenants = t.mailbox.to(email).map(({ text }) => /tenant=([\w-]+)/.exec(text)![1]);
      expect(tenants).toEqual([one, one, one, other]);
    });

    it('link to the billing page without a tenant if their job was enqueued by an older version', async () => {
      const { email } = await t.actors.user();
      await send(email, undefined, 'Acme');
      expect(t.mailbox.to(email)[0].text).toContain('http://localhost:5173/billing\n');
    });
  });

  describe('after a successful payment', () => {
    it('is Active again if it was PastDue, and the Owner gets one email and one notification', async () => {
      const { owner, who } = await inState('PastDue');
      const succeeded = invoiceEvent('payment_succeeded', who, next());
      expect(await messagesFrom(owner, () => billing.take(succeeded))).toEqual({
        mails: [RECOVERED],
        notes: ['PaymentRecovered'],
      });
      expect((await billing.subscription(owner)).status).toBe('Active');
      expect(
        await messagesFrom(owner, () => billing.take(succeeded, invoiceEvent('payment_succeeded', who, next()))),
      ).toEqual(nothing);
    });

    it.each(['Active', 'Trialing', 'Paused', 'Canceled'] as const)(
      'that was %s is unchanged, and nobody is notified',
      async (state) => {
        const { owner, who } = await inState(state);
        expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_succeeded', who, next())))).toEqual(
          nothing,
        );
        expect((await billing.subscription(owner)).status).toBe(state);
      },
    );
  });

  describe('without a failed payment', () => {
    it('notifies nobody of the first payment of an incomplete subscription', async () => {
      const { owner, who } = await inState('Active');
      expect(
        await messagesFrom(owner, () => billing.take(subscriptionUpdated(who, { status: 'incomplete' }, next()))),
      ).toEqual(nothing);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_succeeded', who, next())))).toEqual(
        nothing,
      );
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active' });
    });

    const invoice = (outcome: 'payment_failed' | 'payment_succeeded', who: Subscriber, id: string, created: number) => {
      const { data, ...rest } = invoiceEvent(outcome, who, next());
      return { ...rest, data: { object: { ...data.object, id, created } } };
    };

    it('stays PastDue if an older invoice is paid while the newest is open', async () => {
      const { owner, who } = await inState('Active');
      await billing.take(
        invoice('payment_failed', who, 'in_old', 1),
        invoice('payment_failed', who, 'in_new', 2),
        invoice('payment_failed', who, 'in_old', 1),
      );
      expect(await messagesFrom(owner, () => billing.take(invoice('payment_succeeded', who, 'in_old', 1)))).toEqual(
        nothing,
      );
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      const pay = () => billing.take(invoice('payment_succeeded', who, 'in_new', 2));
      expect(await messagesFrom(owner, pay)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
    });

    it('stays PastDue if only the subscription names the newest invoice', async () => {
      const { owner, who } = await inState('Active');
      await billing.take(subscriptionUpdated(who, { status: 'past_due', rest: { latest_invoice: 'in_new' } }, next()));
      expect(await messagesFrom(owner, () => billing.take(invoice('payment_succeeded', who, 'in_old', 1)))).toEqual(
        nothing,
      );
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      await billing.take(invoice('payment_succeeded', who, 'in_new', 2));
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active' });
    });
  });

  describe('with an ending trial', () => {
    const trial = (who: Subscriber, endsAt: number, rest = {}) =>
      subscriptionObject(who, { status: 'trialing', rest: { trial_end: endsAt, ...rest } });

    it('reminds the Owner once per trial end when Stripe announces it', async () => {
      const { owner, who } = await inState('Trialing');
      const endsAt = second + 3 * DAY;
      const announce = (at: number) =>
        billing.take(event('customer.subscription.trial_will_end', trial(who, at), next()));
      expect(await messagesFrom(owner, () => announce(endsAt))).toEqual({ mails: [TRIAL], notes: ['TrialEnding'] });
      expect(await dataOf(owner)).toEqual([{ plan: 'Pro', endsAt: new Date(endsAt * 1000).toISOString() }]);
      expect(await messagesFrom(owner, () => announce(endsAt))).toEqual(nothing);
      expect(await messagesFrom(owner, () => announce(endsAt + DAY))).toEqual({
        mails: [TRIAL],
        notes: ['TrialEnding'],
      });
    });

    it('reminds the Owner by schedule without that event, once, but not after a cancellation', async () => {
      const [{ owner, who }, canceled] = [await inState('Trialing'), await inState('Trialing')];
      const now = Math.floor(t.clock.now().getTime() / 1000);
      const endsAt = now + 3 * DAY + 60;
      await billing.take(
        event('customer.subscription.updated', trial(who, endsAt), next()),
        event('customer.subscription.updated', trial(canceled.who, endsAt, { cancel_at_period_end: true }), next()),
      );
      const remind = async () => {
        await t.nest.get(CommandBus).execute(new RemindOfTrialEnds());
      };
      expect(await messagesFrom(owner, remind)).toEqual(nothing);
      t.clock.advance(120);
      expect(await messagesFrom(owner, () => Promise.all([remind(), remind()]).then(() => undefined))).toEqual({
        mails: [TRIAL],
        notes: ['TrialEnding'],
      });
      expect(await messagesFrom(owner, remind)).toEqual(nothing);
      expect(await billing.notifications(canceled.owner)).toEqual(['SubscriptionCanceled']);
    });
  });

  describe('with an override', () => {
    it('has the values of the operator until the next change at Stripe', async () => {
      const { owner, who } = await inState('Active');
      const admin = await t.actors.admin();
      const override = (body: object) =>
        t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send(body);
      const overridden = (
        await override({ status: 'Canceled', plan: 'Business', reason: 'asked by phone' }).expect(200)
      ).body.data;
      expect(overridden).toMatchObject({
        status: 'Canceled',
        plan: 'Business',
        processorSubscriptionId: who.subscriptionId,
      });
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(overridden);
      await billing.take(subscriptionUpdated(who, {}, next()));
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active', plan: 'Pro' });
      const { items } = (
        await t.api
          .get(`/admin/audit-log?target=${owner.tenantId}&action=subscription.changed`)
          .set(admin.bearer)
          .expect(200)
      ).body.data;
      expect(
        items.map(({ actorId, data }: { actorId: string | null; data: Remembered }) => [
          actorId,
          data.before.status,
          data.after.status,
          data.cause.split(' ')[0],
          data.reason,
        ]),
      ).toEqual([
        [null, 'Canceled', 'Active', 'event', undefined],
        [admin.user.id, 'Active', 'Canceled', 'operator', 'asked by phone'],
        [null, 'Active', 'Active', 'event', undefined],
      ]);
    });

    it('notifies nobody of payments that did not fail, nor twice of one that did', async () => {
      const { owner, who } = await inState('Active');
      const admin = await t.actors.admin();
      const override = (status: string) =>
        t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send({ status }).expect(200);
      const updated = (status: string) => billing.take(subscriptionUpdated(who, { status }, next()));
      expect(
        await messagesFrom(owner, async () => {
          await override('PastDue');
        }),
      ).toEqual(nothing);
      expect(await messagesFrom(owner, () => updated('active'))).toEqual(nothing);
      expect(await messagesFrom(owner, () => updated('past_due'))).toEqual({
        mails: [FAILED],
        notes: ['SubscriptionPastDue'],
      });
      await override('Active');
      expect(await messagesFrom(owner, () => updated('past_due'))).toEqual(nothing);
    });

    it('is a validation error for an unknown status or plan, and NOT_FOUND for an unknown tenant', async () => {
      const admin = await t.actors.admin();
      const owner = await t.actors.owner();
      for (const body of [
        {},
        { status: 'active' },
        { status: 'Active', plan: 'Gold' },
        { status: 'Active', reason: 7 },
      ]) {
        await t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send(body).expect(400);
      }
      await t.api
        .patch(`/admin/tenants/${admin.user.id}/subscription`)
        .set(admin.bearer)
        .send({ status: 'Active' })
        .expect(404);
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Free', status: 'Active', updatedAt: null });
    });
  });

  describe('with events out of order', () => {
    it('is not changed by an event older than the last, but by one of the same second', async () => {
      const { owner, who } = await inState('Active');
      const [early, late] = [next(), next()];
      await billing.take(subscriptionUpdated(who, { price: 'price_business_monthly' }, late));
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', who, early)))).toEqual(
        nothing,
      );
      await billing.take(subscriptionDeleted(who, early));
      expect(await billing.subscription(owner)).toMatchObject({ plan: 'Business', status: 'Active' });
      await billing.take(subscriptionUpdated(who, { price: 'price_pro_monthly' }, late));
      expect((await billing.subscription(owner)).plan).toBe('Pro');
    });

    it('is not changed by an event older than an event or a sync that changed nothing', async () => {
      const { owner, who } = await inState('Active');
      const [early, late] = [next(), next()];
      await billing.take(subscriptionUpdated(who, {}, next()));
      const row = await version(owner);
      await billing.take(subscriptionUpdated(who, {}, next())); // as it was: nothing is written
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', who, late)))).toEqual(nothing);
      const overtaken = subscriptionDeleted(who, early);
      await billing.take(overtaken);
      expect(await billing.stored(overtaken)).toMatchObject([
        { status: 'processed', tenantId: owner.tenantId, error: null },
      ]);
      expect(await version(owner)).toEqual(row);
      await t.database.query(
        `INSERT INTO sync_runs (id, slot, started_at, since, finished_at) VALUES ($1, $2, $2, $2, $2)`,
        [newId(), next()],
      );
      expect(
        await messagesFrom(owner, () =>
          billing.take(invoiceEvent('payment_failed', who, new Date((second - 5) * 1000))),
        ),
      ).toEqual(nothing);
      expect(await version(owner)).toEqual(row);
      expect(await messagesFrom(owner, () => billing.take(invoiceEvent('payment_failed', who, next())))).toMatchObject({
        mails: [FAILED],
      });
    });

    it('is not changed by the earlier of two changes of one second, recognized by its previous status', async () => {
      const { owner, who } = await inState('Active');
      const at = next();
      const change = (from: string, to: string) => {
        const updated = subscriptionUpdated(who, { status: to }, at);
        return { ...updated, data: { ...updated.data, previous_attributes: { status: from } } };
      };
      await billing.take(change('paused', 'active'));
      expect(await messagesFrom(owner, () => billing.take(change('active', 'past_due')))).toEqual({
        mails: [FAILED],
        notes: ['SubscriptionPastDue'],
      });
      expect(await messagesFrom(owner, () => billing.take(change('paused', 'active')))).toEqual(nothing);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
      await billing.take(change('past_due', 'paused'));
      expect((await billing.subscription(owner)).status).toBe('Paused');
      expect(await messagesFrom(owner, () => billing.take(change('paused', 'active')))).toEqual({
        mails: [RECOVERED],
        notes: ['PaymentRecovered'],
      });
    });

    it('takes every field of the second of two events of one second with the same status', async () => {
      const { owner, who } = await inState('PastDue');
      const at = next();
      const updated = subscriptionUpdated(
        who,
        { price: 'price_business_monthly', periodEnd: 1_955_000_000, rest: { cancel_at_period_end: true } },
        at,
      );
      await billing.take(invoiceEvent('payment_succeeded', who, at), {
        ...updated,
        data: { ...updated.data, previous_attributes: { status: 'past_due' } } as never,
      });
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        plan: 'Business',
        currentPeriodEnd: new Date(1_955_000_000_000).toISOString(),
        cancelAtPeriodEnd: true,
      });
    });

    it('notifies of a failure after a pause, whichever event comes first', async () => {
      for (const isInvoiceFirst of [true, false]) {
        const { owner, who } = await inState('PastDue');
        const paused = () =>
          billing.take(subscriptionUpdated(who, { rest: { pause_collection: { behavior: 'void' } } }, next()));
        // paid, then paused
        expect(await messagesFrom(owner, paused)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
        const at = next();
        const events = [invoiceEvent('payment_failed', who, at), subscriptionUpdated(who, { status: 'past_due' }, at)];
        const fail = () => billing.take(...(isInvoiceFirst ? events : events.reverse()));
        expect(await messagesFrom(owner, fail)).toEqual({ mails: [FAILED], notes: ['SubscriptionPastDue'] });
      }
    });

    it('ignores other Stripe subscriptions while it is live; after its end it follows a live one only', async () => {
      const { owner, who } = await inState('Active');
      const other = { ...who, subscriptionId: 'sub_another' };
      await billing.take(
        subscriptionUpdated(other, { price: 'price_business_monthly' }, next()),
        subscriptionDeleted(other, next()),
      );
      expect(await billing.subscription(owner)).toMatchObject({
        status: 'Active',
        plan: 'Pro',
        processorSubscriptionId: who.subscriptionId,
      });
      await billing.take(
        subscriptionDeleted(who, next()),
        subscriptionUpdated(other, { status: 'canceled', created: 1_600_000_000 }, next()),
      );
      expect((await billing.subscription(owner)).processorSubscriptionId).toBe(who.subscriptionId);
      await billing.take(subscriptionUpdated(other, { created: 1_600_000_000 }, next()));
      expect(await billing.subscription(owner)).toMatchObject({
        processorSubscriptionId: 'sub_another',
        status: 'Active',
      });
    });
  });
});
