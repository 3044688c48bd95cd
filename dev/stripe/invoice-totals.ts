import type { CouponRecord, InvoiceLine, InvoiceRecord } from './records';

/** The amounts of an invoice, all in the smallest unit of its currency. */
export type InvoiceTotals = Pick<
  InvoiceRecord,
  'subtotal' | 'discounts' | 'tax' | 'total' | 'startingBalance' | 'endingBalance' | 'amountDue'
>;

/** What changes the price of an invoice's lines. */
export interface InvoiceTerms {
  readonly currency: string;
  /** The customer's: a credit, which is negative, is used up first. */
  readonly balance: number;
  readonly discounts: readonly { readonly id: string; readonly coupon: CouponRecord }[];
  /** null without automatic tax */
  readonly tax: { readonly percent: number; readonly isInclusive: boolean } | null;
}

/** What an invoice costs: its lines, less the discounts, with tax. */
export function invoiceTotals(lines: readonly InvoiceLine[], terms: InvoiceTerms): InvoiceTotals {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  let rest = subtotal;
  const discounts = terms.discounts.map(({ id, coupon }) => {
    const amount = discountOf(coupon, rest, terms.currency);
    rest -= amount;
    return { id, amount };
  });
  const tax = terms.tax && taxOf(rest, terms.tax);
  const total = rest + (tax && !tax.isInclusive ? tax.amount : 0);
  const owed = total + terms.balance;
  return {
    subtotal,
    discounts,
    tax,
    total,
    startingBalance: terms.balance,
    endingBalance: Math.min(0, owed),
    amountDue: Math.max(0, owed),
  };
}

/** A part of a credit was never paid, so a percentage is taken off a credit as well. */
function discountOf({ percentOff, amountsOff }: CouponRecord, amount: number, currency: string): number {
  if (percentOff !== null) return Math.round((amount * percentOff) / 100);
  return Math.max(0, Math.min(amount, amountsOff[currency] ?? 0));
}

function taxOf(taxable: number, { percent, isInclusive }: NonNullable<InvoiceTerms['tax']>) {
  const share = isInclusive ? percent / (100 + percent) : percent / 100;
  return { percent, isInclusive, taxable, amount: Math.round(taxable * share) };
}
