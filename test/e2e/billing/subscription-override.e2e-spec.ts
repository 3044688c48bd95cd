import { TestApp } from '../../support/app';
import { subscriptionUpdated } from '../../support/stripe-events';
import { FAILED, NOTHING, SubscriptionHistory } from '../../support/subscription-history';

/** The data of an audit entry of a change. */
interface Remembered {
  readonly before: { readonly status: string };
  readonly after: { readonly status: string };
  readonly cause: string;
  readonly reason?: string;
}

/** Rows of the table in the specification (States and transitions, Subscription status). */
describe('a subscription', () => {
  let t: TestApp;
  let billing: SubscriptionHistory;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new SubscriptionHistory(t);
  });
  afterAll(() => t.close());

  describe('with an override', () => {
    it('has the values of the operator until the next change at Stripe', async () => {
      const { owner, subscriber } = await billing.inState('Active');
      const admin = await t.actors.admin();
      const override = (body: object) =>
        t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send(body);
      const overridden = (
        await override({ status: 'Canceled', plan: 'Business', reason: 'asked by phone' }).expect(200)
      ).body.data;
      expect(overridden).toMatchObject({
        status: 'Canceled',
        plan: 'Business',
        processorSubscriptionId: subscriber.subscriptionId,
      });
      expect((await t.api.get('/auth/me').set(owner.bearer).expect(200)).body.data.subscription).toEqual(overridden);
      await billing.take(subscriptionUpdated(subscriber, {}, billing.next()));
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
      const { owner, subscriber } = await billing.inState('Active');
      const admin = await t.actors.admin();
      const override = (status: string) =>
        t.api.patch(`/admin/tenants/${owner.tenantId}/subscription`).set(admin.bearer).send({ status }).expect(200);
      const updated = (status: string) => billing.take(subscriptionUpdated(subscriber, { status }, billing.next()));
      expect(
        await billing.messagesFrom(owner, async () => {
          await override('PastDue');
        }),
      ).toEqual(NOTHING);
      expect(await billing.messagesFrom(owner, () => updated('active'))).toEqual(NOTHING);
      expect(await billing.messagesFrom(owner, () => updated('past_due'))).toEqual({
        mails: [FAILED],
        notes: ['SubscriptionPastDue'],
      });
      for (const status of ['Active', 'Paused', 'Canceled']) {
        await override(status);
        expect(await billing.messagesFrom(owner, () => updated('past_due'))).toEqual(NOTHING);
      }
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
});
