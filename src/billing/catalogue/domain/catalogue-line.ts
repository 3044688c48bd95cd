import type { PaidPlan } from '../../entitlements/domain/plan';
import type { PriceAmount, PriceAmounts } from './plan-price';

/** How something at Stripe differs from the catalogue. */
export type Difference = 'missing' | 'inactive' | 'interval' | 'amounts' | 'tax behavior' | 'metadata';

/** A product or a price, compared. */
export interface CatalogueLine {
  readonly plan: PaidPlan;
  /** `product`, or the name of a price. */
  readonly what: string;
  /** What the catalogue says, and what Stripe has. */
  readonly catalogue: string;
  readonly stripe: string;
  /** Null: they are the same. */
  readonly difference: Difference | null;
}

/** Amounts for display: `usd 29.00 + 6.00 per seat over 10`. */
export const amountsText = (amounts: PriceAmounts): string =>
  Object.entries(amounts)
    .map(([currency, amount]) => `${currency} ${amountText(amount)}`)
    .join(', ');

function amountText({ base, perSeat, includedSeats }: PriceAmount): string {
  const units = (value: number) => (value / 100).toFixed(2);
  return perSeat === null ? units(base) : `${units(base)} + ${units(perSeat)} per seat over ${includedSeats}`;
}

/** The lines as a table, each with its difference. */
export function tableOf(lines: readonly CatalogueLine[]): string {
  const head = ['plan', 'what', 'catalogue', 'Stripe', 'difference'];
  const rows = lines.map(({ plan, what, catalogue, stripe, difference }) => [
    plan,
    what,
    catalogue,
    stripe,
    difference ?? 'same',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
