import type { EventRecord, InvoiceRecord, ScheduleRecord, SessionRecord, SubscriptionRecord } from './records';
import { type ApiObject } from './api-objects';
import { sessionObject } from './session-objects';
import { subscriptionObject } from './billing-objects';
import { invoiceObject } from './invoice-objects';
import { scheduleObject } from './schedule-objects';
import type { State } from './state';

/** Records events. Each has a snapshot of its object at that moment. */
export class EventLog {
  /** Called for each new event. */
  onEvent: (event: EventRecord) => void = () => undefined;

  constructor(private readonly state: State) {}

  /**
   * Runs a change and records `customer.subscription.updated` with the previous values.
   */
  updated(subscription: SubscriptionRecord, at: number, change: () => void): void {
    const before = subscriptionObject(this.state, subscription);
    change();
    const after = subscriptionObject(this.state, subscription);
    const replaced = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    const previous = Object.fromEntries(replaced.map((key) => [key, before[key]]));
    if (replaced.length) this.append('customer.subscription.updated', after, subscription.customer, at, previous);
  }

  ofSubscription(
    what: 'created' | 'deleted' | 'paused' | 'resumed' | 'trial_will_end',
    subscription: SubscriptionRecord,
    at: number,
  ): void {
    this.append(
      `customer.subscription.${what}`,
      subscriptionObject(this.state, subscription),
      subscription.customer,
      at,
    );
  }

  ofInvoice(what: 'paid' | 'payment_succeeded' | 'payment_failed', invoice: InvoiceRecord, at: number): void {
    this.append(`invoice.${what}`, invoiceObject(this.state, invoice), invoice.customer, at);
  }

  ofSchedule(
    what: 'created' | 'updated' | 'released' | 'canceled' | 'completed',
    schedule: ScheduleRecord,
    at: number,
  ) {
    this.append(`subscription_schedule.${what}`, scheduleObject(schedule), schedule.customer, at);
  }

  ofSession(what: 'completed' | 'expired', session: SessionRecord, at: number): void {
    this.append(`checkout.session.${what}`, sessionObject(this.state, session), session.customer, at);
  }

  append(
    type: string,
    object: ApiObject,
    customerId: string | null,
    at: number,
    previous?: Record<string, unknown>,
  ): void {
    const event: EventRecord = {
      id: this.state.random.id('evt', 24),
      created: at,
      type,
      customerId,
      data: JSON.stringify({ object, ...(previous && { previous_attributes: previous }) }),
      cause: this.state.cause,
      delivery: 'waiting',
      tries: 0,
      lastStatus: null,
    };
    this.state.events.add(event);
    this.onEvent(event);
  }
}
