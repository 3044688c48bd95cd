import { invoiceTotals } from './invoice-totals';
import { newCustomer, newSubscription } from './record-defaults';
import type { InvoiceLine, PriceRecord } from './records';

/** A row of a saved table, of this version or of an earlier one. */
type SavedRow = Readonly<Record<string, unknown>>;

/**
 * The rows of a saved table in the form of this version.
 * @param table its name in the state
 */
export function upgradedRows(table: string, rows: readonly SavedRow[]): readonly SavedRow[] {
  if (table === 'prices') return rows.filter(isKept).map(upgradedPrice);
  const upgrade = UPGRADES[table];
  return upgrade ? rows.map(upgrade) : rows;
}

const SESSION = {
  currency: 'usd',
  missingPaymentMethod: 'create_invoice',
  allowsPromotionCodes: false,
  collectsTaxId: false,
  isTaxAutomatic: false,
  isAddressRequired: false,
  promotion: null,
};

/** Earlier versions had one currency, and invoices of one line. */
const UPGRADES: Readonly<Record<string, ((row: SavedRow) => SavedRow) | undefined>> = {
  customers: (row) => ({ ...newCustomer(row as never) }),
  subscriptions: (row) => ({ ...newSubscription(row as never) }),
  sessions: (row) => ({ ...SESSION, ...row }),
  schedules: (row) => ({ ...row, phases: (row.phases as SavedRow[]).map((phase) => ({ discounts: [], ...phase })) }),
  invoices: (row) => (row.lines === undefined ? upgradedInvoice(row) : { discounts: [], tax: null, ...row }),
};

function upgradedInvoice({ price, quantity, amount, periodStart, periodEnd, ...row }: SavedRow): SavedRow {
  const line = { price, quantity, amount, isProration: false, description: 'Subscription', periodStart, periodEnd };
  const lines = [line as InvoiceLine];
  return {
    currency: 'usd',
    lines,
    ...invoiceTotals(lines, { currency: 'usd', balance: 0, discounts: [], tax: null }),
    ...row,
  };
}

/** Earlier versions had one amount per price. The prices of the catalogue are created again. */
function isKept({ id, amounts }: SavedRow): boolean {
  return amounts !== undefined || !/^price_(pro|business)_monthly$/.test(String(id));
}

function upgradedPrice(row: SavedRow): SavedRow {
  if (row.amounts !== undefined) return row;
  const { amount, ...rest } = row;
  const option = { unitAmount: amount as number, tiers: null, taxBehavior: 'unspecified' } as const;
  const added: Pick<PriceRecord, 'amounts' | 'tiersMode' | 'taxBehavior'> = {
    amounts: { [row.currency as string]: option },
    tiersMode: null,
    taxBehavior: 'unspecified',
  };
  return { ...rest, ...added };
}
