import { locale } from '../date-format';

/** An amount in the smallest unit of its currency, in words: $29, €5.50. */
export function money(amount: number, currency: string): string {
  const style = { style: 'currency', currency } as const;
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat(locale(), style).resolvedOptions();
  const value = amount / 10 ** digits;
  const minimumFractionDigits = Number.isInteger(value) ? 0 : digits;
  return new Intl.NumberFormat(locale(), { ...style, minimumFractionDigits }).format(value);
}

/** Regions whose currency is the euro. */
const EURO_REGIONS = /-(AT|BE|BG|CY|DE|EE|ES|FI|FR|GR|HR|IE|IT|LT|LU|LV|MT|NL|PT|SI|SK)\b/;

/** The currency of the reader's region, if prices are offered in it. */
export const localCurrency = <Currency extends string>(offered: readonly Currency[]): Currency | undefined => {
  const currency = EURO_REGIONS.test(navigator.language) ? 'eur' : 'usd';
  return offered.find((one) => one === currency) ?? offered[0];
};
