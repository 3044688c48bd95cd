import { CommandBus } from '@nestjs/cqrs';
import { RemindOfTrialEnds } from '../../../src/billing/subscriptions/commands/remind-of-trial-ends';
import { SendBillingMail } from '../../../src/billing/subscriptions/commands/send-billing-mail';
import { newId } from '../../../src/platform/ids';
import { TestApp } from '../../support/app';
import {
  event,
  invoiceEvent,
  subscriptionObject,
  subscriptionUpdated,
  type Subscriber,
} from '../../support/stripe-events';
import { FAILED, NOTHING, RECOVERED, TRIAL, SubscriptionHistory } from '../../support/subscription-history';

const DAY = 86_400;

/** Rows of the table in the specification (States and transitions, Subscription status). */
describe('a subscription', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
  });
  afterAll(() => t.close());

  describe('after a failed payment', () => {
    it.each(['Active', 'Trialing', 'Paused'] as const)(
      'that was %s is PastDue, and the Owner gets one email and one notification',
      async (state) => {
        const { owner, subscriber } = await billing.inState(state);
        const failed = invoiceEvent('payment_failed', subscriber, billing.next());
        expect(await billing.messagesFrom(owner, () => billing.take(failed))).toEqual({
          mails: [FAILED],
          notes: ['SubscriptionPastDue'],
        });
        expect((await billing.subscription(owner)).status).toBe('PastDue');
        expect(await billing.messagesFrom(owner, () => billing.take(failed, failed))).toEqual(NOTHING);
      },
    );

    it('that was already PastDue stays PastDue, and nobody is notified', async () => {
      const { owner, subscriber } = await billing.inState('PastDue');
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(invoiceEvent('payment_failed', subscriber, billing.next())),
        ),
      ).toEqual(NOTHING);
      expect((await billing.subscription(owner)).status).toBe('PastDue');
    });

    it('is unchanged if the invoice is for something else', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const object = { ...invoiceEvent('payment_failed', subscriber).data.object, parent: null };
      const other = event('invoice.payment_failed', object, billing.next());
      expect(await billing.messagesFrom(owner, () => billing.take(other))).toEqual(NOTHING);
      expect(await billing.stored(other)).toMatchObject([{ status: 'ignored' }]);
      await billing.take(
        invoiceEvent('payment_failed', { ...subscriber, subscriptionId: 'sub_other' }, billing.next()),
      );
      expect((await billing.subscription(owner)).status).toBe('Active');
    });

    it('sends the email to the address that the Owner has at that time', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const heir = await t.actors.member(owner, 'Member');
      await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: heir.user.id }).expect(200);
      await billing.take(invoiceEvent('payment_failed', subscriber, billing.next()));
      await billing.untilJobsAreDone('send-security-mail');
      expect((await billing.mails(heir)).sort()).toEqual([FAILED, 'You are now the Owner of Acme']);
      expect(await billing.mails(owner)).toEqual([]);
      expect(await billing.notifications(heir)).toEqual(['SubscriptionPastDue']);
      const { text } = t.mailbox.to(heir.user.email).find(({ subject }) => subject === FAILED)!;
      expect(text).toContain(`http://localhost:5173/billing?tenant=${owner.tenantId}\n`);
    });
  });

  describe('of a workspace with a new Owner', () => {
    it.each([
      ['PastDue', ['SubscriptionPastDue'], [FAILED]],
      ['Active', [], []],
      ['Trialing', [], []],
    ] as const)('that is %s repeats the notices that ask to act', async (state, notes, mails) => {
      const { owner } = await billing.inState(state);
      const heir = await t.actors.member(owner, 'Member');
      const messages = await billing.messagesFrom(owner, async () => {
        await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: heir.user.id }).expect(200);
      });
      expect(messages).toEqual(NOTHING);
      await billing.untilJobsAreDone('send-security-mail');
      expect((await billing.mails(heir)).sort()).toEqual([...mails, 'You are now the Owner of Acme'].sort());
      expect(await billing.notifications(heir)).toEqual(notes);
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
      const { owner, subscriber } = await billing.inState('PastDue');
      const succeeded = invoiceEvent('payment_succeeded', subscriber, billing.next());
      expect(await billing.messagesFrom(owner, () => billing.take(succeeded))).toEqual({
        mails: [RECOVERED],
        notes: ['PaymentRecovered'],
      });
      expect((await billing.subscription(owner)).status).toBe('Active');
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(succeeded, invoiceEvent('payment_succeeded', subscriber, billing.next())),
        ),
      ).toEqual(NOTHING);
    });

    it.each(['Active', 'Trialing', 'Paused', 'Canceled'] as const)(
      'that was %s is unchanged, and nobody is notified',
      async (state) => {
        const { owner, subscriber } = await billing.inState(state);
        expect(
          await billing.messagesFrom(owner, () =>
            billing.take(invoiceEvent('payment_succeeded', subscriber, billing.next())),
          ),
        ).toEqual(NOTHING);
        expect((await billing.subscription(owner)).status).toBe(state);
      },
    );
  });

  describe('that Stripe keeps active after a failed payment', () => {
    it('notifies nobody of a payment, and again of the next failure', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const decline = () =>
        billing.take(
          invoiceEvent('payment_failed', subscriber, billing.next()),
          subscriptionUpdated(subscriber, { status: 'active' }, billing.next()),
        );
      for (let retry = 0; retry < 2; retry++)
        expect(await billing.messagesFrom(owner, decline)).toEqual({ mails: [FAILED], notes: ['SubscriptionPastDue'] });
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active' });
    });
  });

  describe('without a failed payment', () => {
    it('notifies nobody of the first payment of an incomplete subscription', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(subscriptionUpdated(subscriber, { status: 'incomplete' }, billing.next())),
        ),
      ).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      expect(
        await billing.messagesFrom(owner, () =>
          billing.take(invoiceEvent('payment_succeeded', subscriber, billing.next())),
        ),
      ).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active' });
    });

    const invoice = (
      outcome: 'payment_failed' | 'payment_succeeded',
      subscriber: Subscriber,
      id: string,
      created: number,
    ) => {
      const { data, ...rest } = invoiceEvent(outcome, subscriber, billing.next());
      return { ...rest, data: { object: { ...data.object, id, created } } };
    };

    it('stays PastDue if an older invoice is paid while the newest is open', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      await billing.take(
        invoice('payment_failed', subscriber, 'in_old', 1),
        invoice('payment_failed', subscriber, 'in_new', 2),
        invoice('payment_failed', subscriber, 'in_old', 1),
      );
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoice('payment_succeeded', subscriber, 'in_old', 1))),
      ).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      const pay = () => billing.take(invoice('payment_succeeded', subscriber, 'in_new', 2));
      expect(await billing.messagesFrom(owner, pay)).toEqual({ mails: [RECOVERED], notes: ['PaymentRecovered'] });
    });

    it('stays PastDue if only the subscription names the newest invoice', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      await billing.take(
        subscriptionUpdated(subscriber, { status: 'past_due', rest: { latest_invoice: 'in_new' } }, billing.next()),
      );
      expect(
        await billing.messagesFrom(owner, () => billing.take(invoice('payment_succeeded', subscriber, 'in_old', 1))),
      ).toEqual(NOTHING);
      expect(await billing.subscription(owner)).toMatchObject({ status: 'PastDue' });
      await billing.take(invoice('payment_succeeded', subscriber, 'in_new', 2));
      expect(await billing.subscription(owner)).toMatchObject({ status: 'Active' });
    });
  });

  describe('with an ending trial', () => {
    const trial = (subscriber: Subscriber, endsAt: number, rest = {}) =>
      subscriptionObject(subscriber, { status: 'trialing', rest: { trial_end: endsAt, ...rest } });

    it('reminds the Owner once per trial end when Stripe announces it', async () => {
      const { owner, subscriber } = await billing.inState('Trialing');
      const endsAt = billing.second + 3 * DAY;
      const announce = (at: number) =>
        billing.take(event('customer.subscription.trial_will_end', trial(subscriber, at), billing.next()));
      expect(await billing.messagesFrom(owner, () => announce(endsAt))).toEqual({
        mails: [TRIAL],
        notes: ['TrialEnding'],
      });
      expect(await billing.dataOf(owner)).toEqual([{ plan: 'Pro', endsAt: new Date(endsAt * 1000).toISOString() }]);
      expect(await billing.messagesFrom(owner, () => announce(endsAt))).toEqual(NOTHING);
      expect(await billing.messagesFrom(owner, () => announce(endsAt + DAY))).toEqual({
        mails: [TRIAL],
        notes: ['TrialEnding'],
      });
    });

    it('reminds the Owner by schedule without that event, once, but not after a cancellation', async () => {
      const [{ owner, subscriber }, canceled] = [await billing.inState('Trialing'), await billing.inState('Trialing')];
      const now = Math.floor(t.clock.now().getTime() / 1000);
      const endsAt = now + 3 * DAY + 60;
      await billing.take(
        event('customer.subscription.updated', trial(subscriber, endsAt), billing.next()),
        event(
          'customer.subscription.updated',
          trial(canceled.subscriber, endsAt, { cancel_at_period_end: true }),
          billing.next(),
        ),
      );
      const remind = async () => {
        await t.nest.get(CommandBus).execute(new RemindOfTrialEnds());
      };
      expect(await billing.messagesFrom(owner, remind)).toEqual(NOTHING);
      t.clock.advance(120);
      expect(await billing.messagesFrom(owner, () => Promise.all([remind(), remind()]).then(() => undefined))).toEqual({
        mails: [TRIAL],
        notes: ['TrialEnding'],
      });
      expect(await billing.messagesFrom(owner, remind)).toEqual(NOTHING);
      expect(await billing.notifications(canceled.owner)).toEqual(['SubscriptionCanceled']);
    });
  });
});
