/**
 * The stored form of each object, from which the API objects are created. It is compact, so that
 * 100,000 subscriptions fit in memory. Times are in seconds.
 */

/** The custom fields of an object. */
export type Metadata = Readonly<Record<string, string>>;
/** The test cards: one that works, and one that cannot be charged. */
export type Card = 'good' | 'declining';
/** What happens at the end of a trial without a card. */
export type MissingPaymentMethod = 'create_invoice' | 'pause' | 'cancel';
/** The unit of a billing period. */
export type Interval = 'day' | 'week' | 'month' | 'year';

/** A product, such as the plan Pro. */
export interface ProductRecord {
  readonly id: string;
  readonly created: number;
  name: string;
  description: string | null;
  isActive: boolean;
  metadata: Metadata;
}

/** Whether an amount includes tax. */
export type TaxBehavior = 'exclusive' | 'inclusive' | 'unspecified';

/** The units from the bound of the previous tier up to this one. */
export interface PriceTier {
  /** null for the last tier */
  readonly upTo: number | null;
  readonly flatAmount: number | null;
  readonly unitAmount: number | null;
}

/** What a price costs in one currency: an amount per unit, or tiers. */
export interface CurrencyAmounts {
  readonly unitAmount: number | null;
  readonly tiers: readonly PriceTier[] | null;
  readonly taxBehavior: TaxBehavior;
}

/** A price of a product, with its amounts by currency. */
export interface PriceRecord {
  readonly id: string;
  readonly created: number;
  readonly product: string;
  /** The default, which `amounts` has too. */
  readonly currency: string;
  readonly amounts: Readonly<Record<string, CurrencyAmounts>>;
  /** null for a price per unit */
  readonly tiersMode: 'graduated' | 'volume' | null;
  readonly taxBehavior: TaxBehavior;
  /** null for a one-time price, which a subscription cannot have */
  readonly interval: Interval | null;
  readonly intervalCount: number;
  isActive: boolean;
  nickname: string | null;
  lookupKey: string | null;
  metadata: Metadata;
}

/** A customer's address, which decides whether tax is due. */
export interface CustomerAddress {
  readonly country: string;
  readonly line1: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
}

/** A customer's tax id. */
export interface TaxId {
  readonly type: 'eu_vat' | 'gb_vat' | 'us_ein';
  readonly value: string;
}

/** A customer with its payment method and balance. */
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
  /** That of the customer's first subscription. */
  currency: string | null;
  /** What the customer owes beside invoices. A credit is negative. */
  balance: number;
  address: CustomerAddress | null;
  taxIds: readonly TaxId[];
  isDeleted: boolean;
}

/** The statuses of a subscription that the stand-in supports. */
export type SubscriptionStatus =
  'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled';

/** A subscription to one price. */
export interface SubscriptionRecord {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly currency: string;
  price: string;
  quantity: number;
  /** The prorations of earlier changes, which the next invoice charges. */
  prorations: readonly InvoiceLine[];
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
  missingPaymentMethod: MissingPaymentMethod;
  isTrialEndAnnounced: boolean;
  cancelAt: number | null;
  isCancelAtPeriodEnd: boolean;
  canceledAt: number | null;
  endedAt: number | null;
  cancellationReason: 'cancellation_requested' | 'payment_failed' | null;
  pauseCollection: PauseCollection | null;
  schedule: string | null;
  /** Ids of the discounts. One that is over stays until the next invoice. */
  discounts: readonly string[];
  isTaxAutomatic: boolean;
  latestInvoice: string | null;
  metadata: Metadata;
}

/** A coupon: a percentage or an amount, for a duration. */
export interface CouponRecord {
  readonly id: string;
  readonly created: number;
  readonly name: string | null;
  readonly percentOff: number | null;
  /** By currency, for a coupon without a percentage. */
  readonly amountsOff: Readonly<Record<string, number>>;
  /** That of the amount; null for a percentage */
  readonly currency: string | null;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly durationInMonths: number | null;
  readonly maxRedemptions: number | null;
  readonly redeemBy: number | null;
  readonly metadata: Metadata;
  timesRedeemed: number;
  isDeleted: boolean;
}

/** What customers enter to redeem a coupon. */
export interface PromotionCodeRecord {
  readonly id: string;
  readonly created: number;
  readonly coupon: string;
  readonly code: string;
  /** null for everyone */
  readonly customer: string | null;
  readonly expiresAt: number | null;
  readonly maxRedemptions: number | null;
  readonly isFirstTimeOnly: boolean;
  /** What a purchase must cost at least; undefined: anything */
  readonly minimum?: { readonly amount: number; readonly currency: string };
  isActive: boolean;
  timesRedeemed: number;
  metadata: Metadata;
}

/** A redeemed coupon. */
export interface DiscountRecord {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly subscription: string;
  readonly coupon: string;
  readonly promotionCode: string | null;
  /** The checkout in which it was redeemed. */
  readonly session: string | null;
  readonly end: number | null;
}

/** A part of a schedule, during which a subscription has one price and quantity. */
export interface SchedulePhase {
  readonly start: number;
  readonly end: number;
  readonly price: string;
  readonly quantity: number;
  readonly proration: 'create_prorations' | 'always_invoice' | 'none';
  readonly trialEnd: number | null;
  /** Ids of the discounts that the subscription has in this phase. */
  readonly discounts: readonly string[];
  readonly metadata: Metadata;
}

/** A subscription schedule. */
export interface ScheduleRecord {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly currency: string;
  /** null after a release */
  subscription: string | null;
  status: 'active' | 'completed' | 'released' | 'canceled';
  phases: readonly SchedulePhase[];
  /** Position of the current phase. */
  phase: number;
  endBehavior: 'release' | 'cancel';
  releasedSubscription: string | null;
  completedAt: number | null;
  canceledAt: number | null;
  releasedAt: number | null;
  metadata: Metadata;
}

/** A pause of payment collection. */
export interface PauseCollection {
  readonly behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void';
  readonly resumesAt: number | null;
}

/** A line of an invoice. */
export interface InvoiceLine {
  readonly price: string;
  readonly quantity: number;
  /** Negative for a credit. */
  readonly amount: number;
  readonly isProration: boolean;
  readonly description: string;
  readonly periodStart: number;
  readonly periodEnd: number;
}

/** The tax of an invoice. */
export interface InvoiceTax {
  readonly percent: number;
  readonly isInclusive: boolean;
  readonly taxable: number;
  readonly amount: number;
}

/** An invoice of a subscription. */
export interface InvoiceRecord {
  readonly id: string;
  readonly created: number;
  /** null in a preview */
  readonly number: string | null;
  readonly customer: string;
  readonly subscription: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  /** Sum of the lines. */
  readonly subtotal: number;
  readonly discounts: readonly { readonly id: string; readonly amount: number }[];
  /** null without automatic tax */
  readonly tax: InvoiceTax | null;
  /** With discounts and tax. */
  readonly total: number;
  /** The customer's balance before and after this invoice. */
  readonly startingBalance: number;
  readonly endingBalance: number;
  /** The total and the balance, if that is more than nothing. */
  readonly amountDue: number;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  readonly metadata: Metadata;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  attempts: number;
  nextAttempt: number | null;
  paidAt: number | null;
  /** What credit notes have refunded; undefined: nothing. */
  refunded?: number;
}

/** A checkout session. */
export interface SessionRecord {
  readonly id: string;
  readonly created: number;
  readonly expiresAt: number;
  readonly price: string;
  readonly quantity: number;
  readonly currency: string;
  readonly trialDays: number | null;
  readonly trialEnd: number | null;
  readonly missingPaymentMethod: MissingPaymentMethod;
  readonly metadata: Metadata;
  readonly subscriptionMetadata: Metadata;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly isCardAlwaysCollected: boolean;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly allowsPromotionCodes: boolean;
  readonly collectsTaxId: boolean;
  readonly isTaxAutomatic: boolean;
  readonly isAddressRequired: boolean;
  /** What the customer redeems. */
  promotion: { readonly coupon: string; readonly promotionCode: string | null } | null;
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

/** The API request that caused an event; null for the stand-in's own actions. */
export interface Cause {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

/** An event and the state of its delivery. */
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
