import type { PaidPlan } from '../../entitlements/domain/plan';
import type { Invoice } from './open-invoice';
import type { SubscriptionSnapshot } from './subscription-snapshot';

/** The ids by which the tenant of a Stripe event is found. */
export interface StripeKeys {
  readonly subscriptionId: string;
  readonly customerId: string | null;
  /** Every tenant id in the event's metadata; they should all be the same. */
  readonly tenantIds: readonly string[];
  /**
   * The tenant that a checkout names as its reference. It decides nothing: on some pages of Stripe,
   * the payer chooses it.
   */
  readonly referenceId?: string | null;
}

/** The state of a subscription, from an event about it. */
export interface SnapshotFact {
  readonly kind: 'snapshot';
  readonly snapshot: SubscriptionSnapshot;
  /**
   * The Stripe status before the event, null if the event does not say it. It orders two changes of
   * the same second.
   */
  readonly previousStatus: string | null;
  /** Whether the event says that it neither planned nor withdrew a cancellation. */
  readonly keepsEnd: boolean;
  /** Stripe's reminder three days before the end of a trial, or at once for a shorter trial. */
  readonly isTrialEnding: boolean;
}

/** A completed checkout session. It names a subscription without its details. */
export interface CheckoutFact {
  readonly kind: 'checkout-completed';
  readonly subscriptionId: string;
  readonly customerId: string;
  /** Null: the session was not created by this service. */
  readonly plan: PaidPlan | null;
  readonly currency: string | null;
  readonly isTrialing: boolean;
  /** How long the trial is that this service offered; null: the session does not say it. */
  readonly trialDays: number | null;
  /** False while the payment is still processing. */
  readonly isPaid: boolean;
}

/** The result of charging an invoice of a subscription. */
export interface PaymentFact {
  readonly kind: 'payment-failed' | 'payment-succeeded';
  readonly subscriptionId: string;
  readonly invoice: Invoice;
  /** Of one that succeeded: false if nothing was due, for example after a credit. */
  readonly isPaid: boolean;
  /** Whether it was not the first attempt; false also if the invoice does not say it. */
  readonly isRetry: boolean;
}

/** What a Stripe event says about a subscription, independent of Stripe's API version. */
export type StripeFact = SnapshotFact | CheckoutFact | PaymentFact;
