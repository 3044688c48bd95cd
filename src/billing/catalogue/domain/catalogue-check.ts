import { PLANS, type Plan } from '../../entitlements/domain/plan';
import {
  BILLING_INTERVALS,
  CURRENCIES,
  type CatalogueAmount,
  type CataloguePlan,
  type CataloguePrice,
} from './plan-catalogue';

/** Stripe lists prices of at most this many lookup keys with one call. */
const MAX_LOOKUP_KEYS = 10;

type Catalogue = Readonly<Record<Plan, CataloguePlan>>;

/**
 * What contradicts itself in a catalogue; empty if it is valid. The start refuses an invalid one.
 */
export function mistakesIn(catalogue: Catalogue): string[] {
  const keys = PLANS.flatMap((plan) => catalogue[plan].prices.map(({ lookupKey }) => lookupKey));
  const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  return [
    ...PLANS.flatMap((plan) => mistakesOf(catalogue[plan]).map((mistake) => `${plan}: ${mistake}`)),
    ...(catalogue.Free.prices.length > 0 ? ['Free: a free plan has no price'] : []),
    ...PLANS.filter((plan) => plan !== 'Free').flatMap((plan) => missingIntervals(plan, catalogue[plan])),
    ...[...repeated].map((key) => `the lookup key ${key} is used more than once`),
    ...(keys.length > MAX_LOOKUP_KEYS ? [`there are more than ${MAX_LOOKUP_KEYS} lookup keys`] : []),
  ];
}

function mistakesOf({ description, trial, prices, entitlements }: CataloguePlan): string[] {
  const { projects, keys, seats, invitationsPerDay, auditRetentionDays } = entitlements;
  const members = { 'seats.included': seats.included, 'seats.most': seats.most };
  const counts = { projects, keys, ...members, invitationsPerDay };
  const positive = { ...counts, auditRetentionDays, 'trial.days': trial?.days ?? null };
  return [
    ...(description.trim() === '' ? ['the description is empty'] : []),
    ...Object.entries(positive).flatMap(([name, count]) =>
      count === null || isPositive(count) ? [] : [`${name} must be a positive whole number`],
    ),
    ...(seats.most !== null && seats.included > seats.most ? ['seats.included is greater than seats.most'] : []),
    ...prices.flatMap((price) => mistakesOfPrice(price).map((mistake) => `${price.lookupKey}: ${mistake}`)),
  ];
}

function mistakesOfPrice({ lookupKey, amounts }: CataloguePrice): string[] {
  const given = amounts as Readonly<Partial<Record<string, CatalogueAmount>>>;
  const unknown = Object.keys(given).filter((currency) => !CURRENCIES.some((known) => known === currency));
  return [
    ...(/^[a-z0-9_]{1,200}$/.test(lookupKey) ? [] : ['a lookup key consists of a-z, 0-9 and _']),
    ...unknown.map((currency) => `${currency} is not one of CURRENCIES`),
    ...CURRENCIES.flatMap((currency) => mistakesOfAmount(currency, given[currency])),
  ];
}

function mistakesOfAmount(currency: string, amount: CatalogueAmount | undefined): string[] {
  if (!amount) return [`the amount in ${currency} is missing`];
  return (['base', 'seat'] as const)
    .filter((name) => !isPositive(amount[name]))
    .map((name) => `${name} in ${currency} must be a positive whole number of the smallest unit`);
}

function missingIntervals(plan: Plan, { prices }: CataloguePlan): string[] {
  return BILLING_INTERVALS.flatMap((interval) => {
    const count = prices.filter((price) => price.interval === interval).length;
    return count === 1 ? [] : [`${plan}: ${count} prices for the interval ${interval} instead of one`];
  });
}

const isPositive = (value: number) => Number.isSafeInteger(value) && value > 0;
