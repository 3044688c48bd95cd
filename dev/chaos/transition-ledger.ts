import type Stripe from 'stripe';

/** What Owners get an email about, with its subject. */
export const MAILS = {
  past_due: 'Payment failed for Chaos',
  active: 'Payment received for Chaos',
  ending: 'Your subscription for Chaos will end',
  ended: 'Your subscription for Chaos has ended',
  trial_ending: 'Your trial for Chaos ends soon',
} as const;
/** A change that an Owner is emailed about. */
export type Transition = keyof typeof MAILS;

type Change = Pick<Stripe.Event.Data, 'previous_attributes'> & { readonly object: Stripe.Subscription };

/**
 * Counts what Owners may get an email about, by all events of the stand-in, including those that
 * were never delivered: for example how often subscriptions became past due and then active again.
 */
export class TransitionLedger {
  private readonly counts = new Map<string, number>();
  private readonly pastDue = new Set<string>();

  transitions(tenantId: string, transition: Transition): number {
    return this.counts.get(`${tenantId} ${transition}`) ?? 0;
  }

  /** Counts a new event. */
  read({ type, data }: Stripe.Event): void {
    if (!type.startsWith('customer.subscription.')) return;
    const change = data as Change;
    const { tenantId } = change.object.metadata;
    if (type === 'customer.subscription.updated') this.readUpdate(tenantId, change);
    if (type === 'customer.subscription.deleted') this.add(tenantId, 'ended');
    if (type === 'customer.subscription.trial_will_end') this.add(tenantId, 'trial_ending');
  }

  /** A subscription that is past due may be paused before it becomes active again. */
  private readUpdate(tenantId: string, { object, previous_attributes: previous = {} }: Change): void {
    const { id, status } = object;
    const isServed = status === 'active' || status === 'trialing';
    if ('status' in previous && status === 'past_due') {
      this.add(tenantId, 'past_due');
      this.pastDue.add(id);
    } else if (isServed && this.pastDue.delete(id)) this.add(tenantId, 'active');
    if (isEnding(object) && !isEnding({ ...object, ...previous })) this.add(tenantId, 'ending');
  }

  private add(tenantId: string, transition: Transition): void {
    const key = `${tenantId} ${transition}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

const isEnding = ({ cancel_at, cancel_at_period_end }: Stripe.Subscription) =>
  cancel_at_period_end || cancel_at !== null;
