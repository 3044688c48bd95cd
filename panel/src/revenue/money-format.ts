import { LOCALE } from '../date-format';

const formatOf = (currency: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...options });

/** The units of an amount in the smallest unit of its currency. */
export const unitsOf = (amount: number, currency: string): number =>
  amount / 10 ** (formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2);

/** An amount in the smallest unit of its currency, for display. */
export const moneyText = (amount: number, currency: string): string =>
  formatOf(currency).format(unitsOf(amount, currency));

/** The same without cents from 1,000 on, where several amounts stand side by side. */
export const shortMoney = (amount: number, currency: string): string =>
  unitsOf(amount, currency) < 1000
    ? moneyText(amount, currency)
    : formatOf(currency, { maximumFractionDigits: 0 }).format(unitsOf(amount, currency));

/** Formats of a chart whose values are units of a currency. */
export const chartMoney = (currency: string) => {
  const [short, full] = [
    formatOf(currency, { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 }),
    formatOf(currency),
  ];
  return { axis: (value: number) => short.format(value), full: (value: number) => full.format(value) };
};
