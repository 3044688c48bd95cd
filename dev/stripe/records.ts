/**
 * The stored form of each object, from which the API objects are created. It is compact, so that
 * 100,000 subscriptions fit in memory. Times are in seconds.
 */

export type Metadata = Readonly<Record<string, string>>;
export type Card = 'good' | 'declining';
export type Interval = 'day' | 'week' | 'month' | 'year';

export interface ProductRecord {
  readonly id: string;
  readonly created: number;
  readonly name: string;
  readonly description: string | null;
  readonly isActive: boolean;
  readonly metadata: Metadata;
}

export interface PriceRecord {
  readonly id: string;
  readonly created: number;
  readonly product: string;
  readonly amount: number;
  readonly currency: string;
  /** null for a one-time price, which a subscription cannot have */
  readonly interval: Interval | null;
  readonly intervalCount: number;
  readonly isActive: boolean;
  readonly nickname: string | null;
  readonly lookupKey: string | null;
  readonly metadata: Metadata;
}

export interface CustomerRecord {
  readonly id: string;
  readonly created: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  metadata: Metadata;
  /** null without a card */
  card: Card | null;
  isDeleted: boolean;
}

export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled';

export interface SubscriptionRecord {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  price: string;
  quantity: number;
  status: SubscriptionStatus;
  /**
   * Periods are counted from here. With an anchor on the 31st, a month of 30 days ends on the 30th
   * and the next one on the 31st.
   */
  anchor: number;
  periodStart: number;
  periodEnd: number;
  trialStart: number | null;
  trialEnd: number | null;
  isTrialEndAnnounced: boolean;
  cancelAt: number | null;
  isCancelAtPeriodEnd: boolean;
  canceledAt: number | null;
  endedAt: number | null;
  cancellationReason: 'cancellation_requested' | 'payment_failed' | null;
  pauseCollection: PauseCollection | null;
  latestInvoice: string | null;
  metadata: Metadata;
}

export interface PauseCollection {
  readonly behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void';
  readonly resumesAt: number | null;
}

export interface InvoiceRecord {
  readonly id: string;
  readonly created: number;
  readonly number: string;
  readonly customer: string;
  readonly subscription: string;
  readonly price: string;
  readonly quantity: number;
  readonly amount: number;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly metadata: Metadata;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  attempts: number;
  nextAttempt: number | null;
  paidAt: number | null;
}

export interface SessionRecord {
  readonly id: string;
  readonly created: number;
  readonly expiresAt: number;
  readonly price: string;
  readonly quantity: number;
  readonly trialDays: number | null;
  readonly trialEnd: number | null;
  readonly metadata: Metadata;
  readonly subscriptionMetadata: Metadata;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly isCardAlwaysCollected: boolean;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  status: 'open' | 'complete' | 'expired';
  customer: string | null;
  subscription: string | null;
  invoice: string | null;
}

/** A visit to the billing portal. */
export interface PortalRecord {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly returnUrl: string | null;
}

export interface Cause {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export interface EventRecord {
  readonly id: string;
  readonly created: number;
  readonly type: string;
  readonly customerId: string | null;
  /** The `data` of the event as JSON text, which needs a fraction of the memory. */
  readonly data: string;
  readonly cause: Cause;
  delivery: 'waiting' | 'delivered' | 'dropped' | 'failed';
  tries: number;
  /** HTTP status of the last attempt: null before the first one, 0 without a response. */
  lastStatus: number | null;
}
