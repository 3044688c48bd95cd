import { PAID_PLANS, TRIAL_DAYS, type PaidPlan, type Plan } from '../../entitlements/domain/plan';

/** How often a subscription is paid. */
export const BILLING_INTERVALS = ['month', 'year'] as const;
/** How often a subscription is paid. */
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/**
 * What a change of the seats within a period does to the invoices, in Stripe's words. With a yearly
 * price, the next invoice could be a year away.
 */
export const SEAT_PRORATION = { month: 'create_prorations', year: 'always_invoice' } as const;

/** ISO 4217 codes in lower case, as Stripe writes them; the first is the default. */
export const CURRENCIES = ['usd', 'eur'] as const;
/** A currency in which the plans have prices. */
export type Currency = (typeof CURRENCIES)[number];

/** Whether the amounts of catalogue prices include tax. Stripe never changes it for a price. */
export const TAX_BEHAVIORS = ['exclusive', 'inclusive', 'unspecified'] as const;
/** Whether an amount includes tax, in Stripe's words. */
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number];
/** The tax behavior of the catalogue's prices. */
export const CATALOGUE_TAX_BEHAVIOR: TaxBehavior = 'exclusive';

/**
 * How Stripe charges the rest of the period when a plan is changed at once: with an invoice of its
 * own, with the next invoice, or not at all.
 */
export const CHANGE_PRORATION: 'always_invoice' | 'create_prorations' | 'none' = 'always_invoice';

/** The features that a plan either has or does not have. */
export const FEATURES = ['auditExport', 'auditStreaming'] as const;
/** The name of a feature. */
export type Feature = (typeof FEATURES)[number];

/**
 * The limits of plans that are numbers, with their descriptions in the API document. Their values
 * are in PLAN_CATALOGUE.
 */
export const LIMITS = {
  projects: 'Maximum number of projects; null if unlimited',
  keys: 'Maximum number of keys of service accounts that can be used',
  seats: 'Maximum number of members and pending invitations; null if unlimited',
  invitationsPerDay: 'Maximum number of invitation emails per day, including resent ones',
  auditRetentionDays: 'Days for which the audit log can be read',
};

/** What a plan allows; null: unlimited. */
export interface PlanEntitlements {
  readonly projects: number | null;
  /** Keys of service accounts that can be used. */
  readonly keys: number;
  /** Members of a tenant: those in the price of the plan, and how many there can be at most. */
  readonly seats: { readonly included: number; readonly most: number | null };
  /** Invitation emails per day, including resent ones. */
  readonly invitationsPerDay: number;
  /** Days for which the audit log of the tenant can be read. */
  readonly auditRetentionDays: number;
  readonly features: readonly Feature[];
}

/** An amount for each billing period, in the smallest unit of the currency (cents). */
export interface CatalogueAmount {
  /** For the plan with its included seats. */
  readonly base: number;
  /** For each seat beyond the included ones. */
  readonly seat: number;
}

/** A price of a plan, found at Stripe by its lookup key. */
export interface CataloguePrice {
  readonly interval: BillingInterval;
  readonly lookupKey: string;
  readonly amounts: Readonly<Record<Currency, CatalogueAmount>>;
}

/** The free trial of a tenant's first paid subscription. */
export interface TrialTerms {
  readonly days: number;
  /** Whether the checkout asks for a payment method before the trial. */
  readonly card: 'required' | 'optional';
  /** What happens at the end of a trial without a payment method. */
  readonly withoutCard: 'pause' | 'cancel';
}

/** A plan of the catalogue. */
export interface CataloguePlan {
  readonly description: string;
  /** Null: no trial. */
  readonly trial: TrialTerms | null;
  readonly prices: readonly CataloguePrice[];
  readonly entitlements: PlanEntitlements;
}

const TRIAL: TrialTerms = { days: TRIAL_DAYS, card: 'required', withoutCard: 'pause' };

/**
 * The plans: what they cost and what they allow. Stripe has the prices, `npm run billing` creates
 * them from here. The ids in PROCESSOR_PRO_PRICE_ID and PROCESSOR_BUSINESS_PRICE_ID, if set, are
 * the monthly prices instead of the lookup keys.
 */
export const PLAN_CATALOGUE: Readonly<Record<Plan, CataloguePlan>> = {
  Free: {
    description: 'For trying things out',
    trial: null,
    prices: [],
    entitlements: {
      projects: 3,
      keys: 5,
      seats: { included: 10, most: 10 },
      invitationsPerDay: 20,
      auditRetentionDays: 30,
      features: [],
    },
  },
  Pro: {
    description: 'For growing teams',
    trial: TRIAL,
    prices: [
      {
        interval: 'month',
        lookupKey: 'pro_month',
        amounts: { usd: { base: 2900, seat: 600 }, eur: { base: 2700, seat: 550 } },
      },
      {
        interval: 'year',
        lookupKey: 'pro_year',
        amounts: { usd: { base: 29000, seat: 6000 }, eur: { base: 27000, seat: 5500 } },
      },
    ],
    entitlements: {
      projects: null,
      keys: 50,
      seats: { included: 10, most: 50 },
      invitationsPerDay: 500,
      auditRetentionDays: 365,
      features: [],
    },
  },
  Business: {
    description: 'For larger companies',
    trial: TRIAL,
    prices: [
      {
        interval: 'month',
        lookupKey: 'business_month',
        amounts: { usd: { base: 9900, seat: 500 }, eur: { base: 9200, seat: 450 } },
      },
      {
        interval: 'year',
        lookupKey: 'business_year',
        amounts: { usd: { base: 99000, seat: 5000 }, eur: { base: 92000, seat: 4500 } },
      },
    ],
    entitlements: {
      projects: null,
      keys: 200,
      seats: { included: 25, most: null },
      invitationsPerDay: 500,
      auditRetentionDays: 1095,
      features: ['auditExport', 'auditStreaming'],
    },
  },
};

/** The plan and the price with a lookup key; undefined for a key that is not in the catalogue. */
export function priceWithLookupKey(key: string): { plan: PaidPlan; price: CataloguePrice } | undefined {
  for (const plan of PAID_PLANS) {
    const price = PLAN_CATALOGUE[plan].prices.find(({ lookupKey }) => lookupKey === key);
    if (price) return { plan, price };
  }
  return undefined;
}
