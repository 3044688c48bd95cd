import type Stripe from 'stripe';
import type { StripeStandIn } from '../stripe/stripe-stand-in';

/**
 * Counts how often subscriptions became past due and then active again, by all events of the
 * stand-in, including those that were never delivered.
 */
export class TransitionLedger {
  private readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly pastDue = new Set<string>();

  constructor(private readonly processor: StripeStandIn) {}

  /** Reads new events. The stand-in keeps events for 30 days of its clock only. */
  read(): void {
    for (const event of this.processor.events()) {
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      if (event.type === 'customer.subscription.updated') this.count(event.data);
    }
  }

  get events(): number {
    return this.seen.size;
  }

  transitions(tenantId: string, status: 'past_due' | 'active'): number {
    return this.counts.get(`${tenantId} ${status}`) ?? 0;
  }

  /** A subscription that is past due may be paused before it becomes active again. */
  private count({ object, previous_attributes }: { object: Stripe.Subscription; previous_attributes?: object }): void {
    const { id, status, metadata } = object;
    const isNew = (previous_attributes as { status?: string } | undefined)?.status !== undefined;
    const isServed = status === 'active' || status === 'trialing';
    if (isNew && status === 'past_due') {
      this.add(`${metadata.tenantId} past_due`);
      this.pastDue.add(id);
    } else if (isServed && this.pastDue.delete(id)) this.add(`${metadata.tenantId} active`);
  }

  private add(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}
