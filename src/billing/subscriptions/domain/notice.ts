/** What the Owner is told of a change, and what there is to say besides the plan. */
export type Notice =
  | { readonly kind: 'SubscriptionPastDue' | 'PaymentRecovered' }
  /** Told when the end is planned, and again when it has come. */
  | { readonly kind: 'SubscriptionCanceled'; readonly endsAt: Date | null; readonly hasEnded: boolean }
  | { readonly kind: 'TrialEnding'; readonly endsAt: Date };
