import type { SubscriptionView } from '../../src/billing/http/views/billing.views';
import type { WebhookEventStatus } from '../../src/billing/webhooks/domain/webhook-event';
import type { Bearer, Member } from './actors';
import type { TestApp } from './app';
import { eventually } from './eventually';
import { checkoutCompleted, newSubscriber, type Subscriber, type TestEvent } from './stripe-events';

const JOBS_OF_TASK = `SELECT j.id FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1`;

/** Actions and queries of billing tests. */
export class Billing {
  constructor(private readonly t: TestApp) {}

  /** Delivers a signed event. @returns the status of the response */
  async deliver(event: TestEvent): Promise<number> {
    return (await this.t.processor.post(event)).status;
  }

  /** Delivers events that must be accepted. */
  async take(...events: TestEvent[]): Promise<void> {
    for (const event of events) expect([event.type, await this.deliver(event)]).toEqual([event.type, 200]);
  }

  /** Requests a checkout, on an instance. */
  requestCheckout(by: Bearer, planName: unknown = 'Pro', app = this.t) {
    return app.api.post('/billing/checkout').set(by.bearer).send({ planName });
  }

  /** Starts a checkout. @returns the URL of the payment page */
  async checkout(by: Bearer, planName = 'Pro'): Promise<string> {
    return (await this.requestCheckout(by, planName).expect(200)).body.data.checkoutUrl as string;
  }

  /** The customers of a tenant at Stripe that were not deleted. */
  customersOf({ tenantId }: Member) {
    const customers = this.t.processor.customers();
    return customers.filter((customer) => 'metadata' in customer && customer.metadata.tenantId === tenantId);
  }

  /** The POST requests to a path of Stripe. */
  postsTo(path: string) {
    return this.t.processor.requests.filter((request) => request.path === path && request.method === 'POST');
  }

  /** A tenant on the Pro plan, after a completed checkout. */
  async subscribed({ trial = false, at = new Date(1_750_000_000_000) } = {}): Promise<{
    owner: Member;
    subscriber: Subscriber;
  }> {
    const owner = await this.t.actors.owner();
    const subscriber = newSubscriber(owner.tenantId);
    await this.take(checkoutCompleted(subscriber, { trial }, at));
    return { owner, subscriber };
  }

  /** A tenant with a customer id, without a call to Stripe. */
  async subscribedOffline(): Promise<Member> {
    const owner = await this.t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, processor_customer_id, plan, status, updated_at)
      VALUES ($1, $2, 'Free', 'Active', now())`;
    await this.t.database.query(sql, [owner.tenantId, newSubscriber(owner.tenantId).customerId]);
    return owner;
  }

  async subscription(owner: Member): Promise<SubscriptionView> {
    return (await this.t.api.get('/billing/subscription').set(owner.bearer).expect(200)).body.data as SubscriptionView;
  }

  async notifications(owner: Member): Promise<string[]> {
    const { body } = await this.t.api.get('/notifications').set(owner.bearer).expect(200);
    return (body.data.items as { kind: string }[]).map(({ kind }) => kind).reverse();
  }

  async stored({
    id,
  }: TestEvent): Promise<
    { id: string; status: WebhookEventStatus; tenantId: string | null; error: string | null; attempts: number }[]
  > {
    return this.t.database.query(
      'SELECT id, status, tenant_id AS "tenantId", error, attempts FROM webhook_events WHERE event_id = $1',
      [id],
    );
  }

  /** The subjects of a member's billing emails, after all of them were sent. */
  async mails({ user }: Member): Promise<string[]> {
    await this.untilJobsAreDone('send-payment-mail');
    return this.t.mailbox.to(user.email).map(({ subject }) => subject);
  }

  /** Runs the delayed jobs of a task now, and those that they add, and waits until none is left. */
  async untilJobsAreDone(task: string): Promise<void> {
    const done = async () => {
      await this.runJobsNow(task);
      return (await this.t.database.query(JOBS_OF_TASK, [task])).length === 0 || undefined;
    };
    await eventually(done, `no ${task} left`);
  }

  /** Makes the delayed jobs of a task due. */
  async runJobsNow(task: string): Promise<void> {
    await this.t.database.query(
      `WITH made_due AS (
         UPDATE graphile_worker._private_jobs SET run_at = now()
           WHERE id IN (${JOBS_OF_TASK}) AND locked_at IS NULL AND run_at > now() RETURNING id)
       SELECT pg_notify('jobs:insert', '{"r":1,"count":1}') FROM made_due LIMIT 1`,
      [task],
    );
  }
}
