import type { Member } from './actors';
import type { TestApp } from './app';
import { Billing } from './billing';
import { invoiceEvent, subscriptionDeleted, subscriptionUpdated, type Subscriber } from './stripe-events';

/** The subjects of the billing emails of the tenant Acme. */
export const FAILED = 'Payment failed for Acme';
export const RECOVERED = 'Payment received for Acme';
export const PLANNED = 'Your subscription for Acme will end';
export const ENDED = 'Your subscription for Acme has ended';
export const TRIAL = 'Your trial for Acme ends soon';

/** What work that notifies nobody leads to. */
export const NOTHING = { mails: [], notes: [] };

/** Subscriptions whose events follow each other in time. */
export class SubscriptionHistory extends Billing {
  /** The second of the last event, since 1970. */
  second = 1_760_000_000;

  constructor(private readonly app: TestApp) {
    super(app);
  }

  /** A second later than any before, because events of one second count as simultaneous. */
  next(): Date {
    return new Date((this.second += 10) * 1000);
  }

  /** A tenant whose subscription has reached a status through Stripe events. */
  async inState(
    status: 'Active' | 'Trialing' | 'PastDue' | 'Canceled' | 'Paused',
  ): Promise<{ owner: Member; subscriber: Subscriber }> {
    const { owner, subscriber } = await this.subscribed({ trial: status === 'Trialing' });
    if (status === 'PastDue') await this.take(invoiceEvent('payment_failed', subscriber, this.next()));
    if (status === 'Canceled') await this.take(subscriptionDeleted(subscriber, this.next()));
    if (status === 'Paused') await this.take(subscriptionUpdated(subscriber, { status: 'paused' }, this.next()));
    expect(await this.subscription(owner)).toMatchObject({ plan: 'Pro', status });
    return { owner, subscriber };
  }

  /** The emails and notifications of an Owner that some work leads to. */
  async messagesFrom(owner: Member, work: () => Promise<void>) {
    const [mails, notes] = [await this.mails(owner), await this.notifications(owner)];
    await work();
    return {
      mails: (await this.mails(owner)).slice(mails.length),
      notes: (await this.notifications(owner)).slice(notes.length),
    };
  }

  /** The data of an Owner's notifications, oldest first. */
  async dataOf(owner: Member): Promise<object[]> {
    const { body } = await this.app.api.get('/notifications').set(owner.bearer).expect(200);
    return (body.data.items as { data: object }[]).map(({ data }) => data).reverse();
  }

  /** The version of the row, which changes with every write. */
  async version({ tenantId }: Member) {
    const sql = 'SELECT xmin::text, ctid::text FROM subscriptions WHERE tenant_id = $1';
    const versions = await this.app.database.query(sql, [tenantId]);
    expect(versions).toHaveLength(1);
    return versions[0];
  }
}
