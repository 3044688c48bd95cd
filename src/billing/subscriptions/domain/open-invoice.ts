/** The invoice of an event. */
export interface Invoice {
  readonly id: string | null;
  readonly createdAt: Date;
}

/** The newest unpaid invoice, as far as it is known. */
export interface OpenInvoice {
  /** Null: not known. */
  readonly id: string | null;
  /** Null: only the id is known. */
  readonly createdAt: Date | null;
}

/**
 * Whether a newer invoice stays open after a payment. In doubt it does; the next reading corrects
 * that.
 */
export function leavesOpen(open: OpenInvoice, paid: Invoice): boolean {
  return open.id !== null && open.id !== paid.id && (open.createdAt === null || paid.createdAt <= open.createdAt);
}

/** The newest unpaid invoice after a failed payment. */
export function newestOf(open: OpenInvoice, failed: Invoice): OpenInvoice {
  return leavesOpen(open, failed) ? open : failed;
}
