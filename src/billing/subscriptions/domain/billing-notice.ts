/**
 * A notice to the Owner about a change, with the data that the notification needs besides the plan.
 */
export type BillingNotice =
  | { readonly kind: 'SubscriptionPastDue' | 'PaymentRecovered' }
  /** Sent when the cancellation is scheduled, and again when the subscription has ended. */
  | { readonly kind: 'SubscriptionCanceled'; readonly endsAt: Date | null; readonly hasEnded: boolean }
  | { readonly kind: 'TrialEnding'; readonly endsAt: Date };
