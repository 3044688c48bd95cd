import type { PaidPlan } from '../../entitlements/domain/plan';
import type { StripePrice } from '../../stripe/stripe-price.mapper';
import { amountsText, type CatalogueLine, type Difference } from '../domain/catalogue-line';
import { CATALOGUE_TAX_BEHAVIOR, CURRENCIES, type CataloguePrice } from '../domain/plan-catalogue';
import { amountsOf, type PriceAmounts } from '../domain/plan-price';
import type { ComparedPlan, ComparedPrice } from './catalogue-state';

/** The product and the prices of a plan, compared. */
export function linesOf({ plan, productId, product, prices }: ComparedPlan): CatalogueLine[] {
  const difference = product ? (product.isActive ? null : 'inactive') : 'missing';
  const stripe = product ? productId : '–';
  return [
    { plan, what: 'product', catalogue: plan, stripe, difference },
    ...prices.map((compared) => priceLine(plan, compared)),
  ];
}

/** The price of a setting is the operator's choice: it must only exist and be active. */
function priceLine(plan: PaidPlan, compared: ComparedPrice): CatalogueLine {
  const { price, setting, found } = compared;
  const stripe = found ? `${found.id}: ${amountsText(found.amounts)}` : '–';
  const catalogue = setting ? `named by ${setting}` : amountsText(amountsOf(plan, price.interval));
  return { plan, what: price.interval, catalogue, stripe, difference: differenceOf(plan, compared) };
}

/** The first difference, which is the most serious one. */
export function differenceOf(plan: PaidPlan, { price, setting, found }: ComparedPrice): Difference | null {
  if (!found) return 'missing';
  if (!setting && hasOtherTerms(plan, price, found)) return hasOtherTerms(plan, price, found);
  if (!found.isActive) return 'inactive';
  return setting || isDescribed(plan, price, found) ? null : 'metadata';
}

function hasOtherTerms(plan: PaidPlan, { interval }: CataloguePrice, found: StripePrice): Difference | null {
  if (found.interval !== interval) return 'interval';
  if (!isSame(found.amounts, amountsOf(plan, interval))) return 'amounts';
  return found.taxBehavior === CATALOGUE_TAX_BEHAVIOR ? null : 'tax behavior';
}

/** Whether the price says its plan and interval without its lookup key. */
export const isDescribed = (plan: PaidPlan, { interval }: CataloguePrice, { mark }: StripePrice): boolean =>
  mark.plan === plan && mark.interval === interval;

const isSame = (one: PriceAmounts, other: PriceAmounts): boolean =>
  CURRENCIES.every((currency) =>
    (['base', 'perSeat', 'includedSeats'] as const).every((name) => one[currency]?.[name] === other[currency]?.[name]),
  );
