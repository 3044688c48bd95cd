/** An invoice that an event is about. */
export interface Invoice {
  readonly id: string | null;
  readonly createdAt: Date;
}

/** The newest invoice that was not paid, as far as that is known. */
export interface OpenInvoice {
  /** Null: it is not known. */
  readonly id: string | null;
  /** When it was made; null: only its id is known. */
  readonly createdAt: Date | null;
}

/** Whether paying an invoice leaves a newer one open; in doubt it does, and a reading will tell. */
export function leavesOpen(open: OpenInvoice, paid: Invoice): boolean {
  return open.id !== null && open.id !== paid.id && (open.createdAt === null || paid.createdAt < open.createdAt);
}

/** Which is the newest after another one was not paid. */
export function newestOf(open: OpenInvoice, failed: Invoice): OpenInvoice {
  return leavesOpen(open, failed) ? open : failed;
}
