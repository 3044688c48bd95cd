import { isOver, type SubscriptionSnapshot } from './subscription-snapshot';
import { SubscriptionState } from './subscription-state';

/** What is not known of a subscription before its first snapshot. */
export const NO_TERMS = {
  priceId: null,
  interval: null,
  currency: null,
  seats: null,
  discount: null,
  discountPercent: null,
  discountAmount: null,
  pendingPlan: null,
  pendingInterval: null,
  pendingAt: null,
};

/** What a subscription takes over of a snapshot. */
export abstract class SubscriptionTerms extends SubscriptionState {
  /**
   * An unknown price keeps the plan of a known subscription, and gives none to a new one. It bills
   * no seats that this service could set.
   */
  protected takeTerms(snapshot: SubscriptionSnapshot, isNew: boolean): void {
    const { plan, currentPeriodEnd, trialEndsAt, priceId, interval, currency, seats } = snapshot;
    this.hadTrial ||= trialEndsAt !== null;
    if (isNew) Object.assign(this, NO_TERMS);
    this.takeExtras(snapshot);
    if (!plan && !isNew) {
      if (priceId !== this.priceId) Object.assign(this, { priceId, seats: null });
      return;
    }
    this.plan = plan ?? 'Free';
    this.currentPeriodEnd = currentPeriodEnd;
    this.trialEndsAt = trialEndsAt;
    Object.assign(this, { priceId, interval, currency, seats });
  }

  /** Discount and planned change stay if the payload does not say them; a reading does. */
  private takeExtras({ discount, pending, status }: SubscriptionSnapshot): void {
    if (discount !== undefined) this.takeDiscount(discount);
    if (pending === undefined && !isOver(status)) return;
    const change = isOver(status) ? null : pending;
    this.pendingPlan = change?.plan ?? null;
    this.pendingInterval = change?.interval ?? null;
    this.pendingAt = change?.at ?? null;
  }

  protected takeEnd(snapshot: SubscriptionSnapshot, isEnd: boolean, wasServed: boolean, at: Date): void {
    const isEnding = snapshot.isEnding && !isEnd;
    if (isEnding && !this.cancelAtPeriodEnd)
      this.record({ kind: 'SubscriptionCanceled', endsAt: snapshot.endsAt, hasEnded: false });
    if (isEnd && wasServed)
      this.record({ kind: 'SubscriptionCanceled', endsAt: snapshot.endedAt ?? at, hasEnded: true });
    this.cancelAtPeriodEnd = isEnding;
  }
}
