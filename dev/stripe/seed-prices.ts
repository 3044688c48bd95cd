import { PAID_PLANS } from '../../src/billing/entitlements/domain/plan';
import { PLAN_CATALOGUE, type CatalogueAmount } from '../../src/billing/catalogue/domain/plan-catalogue';
import type { CouponRecord, CurrencyAmounts, PriceRecord, ProductRecord, PromotionCodeRecord } from './records';

const COMMON = { isActive: true, metadata: {} } as const;
const UNLIMITED = { maxRedemptions: null, timesRedeemed: 0, metadata: {} } as const;
const WELCOME_COUPON: Omit<CouponRecord, 'created'> = {
  ...UNLIMITED,
  id: 'welcome20',
  name: '20 % off for three months',
  percentOff: 20,
  amountsOff: {},
  currency: null,
  duration: 'repeating',
  durationInMonths: 3,
  redeemBy: null,
  isDeleted: false,
};
const WELCOME_CODE: Omit<PromotionCodeRecord, 'created'> = {
  ...UNLIMITED,
  id: 'promo_welcome20',
  coupon: WELCOME_COUPON.id,
  code: 'WELCOME20',
  customer: null,
  isActive: true,
  expiresAt: null,
  isFirstTimeOnly: false,
};
const NAMES = { month: 'monthly', year: 'yearly' } as const;

/** What the stand-in has from the start. */
export interface CatalogueSeed {
  readonly products: readonly ProductRecord[];
  readonly prices: readonly PriceRecord[];
  readonly coupon: CouponRecord;
  readonly promotionCode: PromotionCodeRecord;
}

/**
 * The products and prices that the service sells, as its catalogue says. Their ids are known in
 * advance, such as price_pro_monthly. The code WELCOME20 takes 20 % off for three months.
 * @param created in seconds
 */
export function seedCatalogue(created: number): CatalogueSeed {
  const products = PAID_PLANS.map((name) => ({
    ...COMMON,
    created,
    id: `prod_${name.toLowerCase()}`,
    name,
    description: PLAN_CATALOGUE[name].description,
  }));
  return {
    products,
    prices: PAID_PLANS.flatMap((plan) => pricesOf(plan, created)),
    coupon: { ...WELCOME_COUPON, created },
    promotionCode: { ...WELCOME_CODE, created },
  };
}

function pricesOf(plan: (typeof PAID_PLANS)[number], created: number): PriceRecord[] {
  const { prices, entitlements } = PLAN_CATALOGUE[plan];
  return prices.map(({ interval, lookupKey, amounts }) => ({
    ...COMMON,
    id: `price_${plan.toLowerCase()}_${NAMES[interval]}`,
    created,
    product: `prod_${plan.toLowerCase()}`,
    currency: 'usd',
    amounts: Object.fromEntries(
      Object.entries(amounts).map(([currency, amount]) => [currency, tiered(amount, entitlements.seats.included)]),
    ),
    tiersMode: 'graduated',
    taxBehavior: 'exclusive',
    interval,
    intervalCount: 1,
    nickname: null,
    lookupKey,
  }));
}

/** The included seats cost the base together, each further one its own amount. */
function tiered({ base, seat }: CatalogueAmount, included: number): CurrencyAmounts {
  const tiers = [
    { upTo: included, flatAmount: base, unitAmount: 0 },
    { upTo: null, flatAmount: null, unitAmount: seat },
  ];
  return { unitAmount: null, tiers, taxBehavior: 'exclusive' };
}
