import type { SubscriptionSnapshot } from './subscription-snapshot';

/**
 * What is known of the payment when a subscription is served again: what was overdue is paid, or
 * that is still to be told, or nothing was overdue.
 */
export type Settlement = 'paid' | 'awaited' | 'nothing-due';

/** What was known before. */
interface Debt {
  readonly openInvoiceId: string | null;
  readonly awaitsPayment: boolean;
  /** Whether Stripe had the subscription as overdue. */
  readonly wasOverdue: boolean;
}

/**
 * A snapshot that has only the id of the newest invoice says that it is paid if it is the one that
 * failed. Another one may be a credit; its event or the next reading says it.
 */
export function settlementOf(
  { latestInvoiceId, isLatestInvoicePaid }: SubscriptionSnapshot,
  { openInvoiceId, awaitsPayment, wasOverdue }: Debt,
): Settlement {
  const isOpenOne = latestInvoiceId !== null && latestInvoiceId === openInvoiceId;
  const isUnknown = latestInvoiceId === null || openInvoiceId === null;
  const isPaid =
    isLatestInvoicePaid === null
      ? wasOverdue && (isOpenOne || isUnknown)
      : isLatestInvoicePaid && (wasOverdue || isOpenOne);
  if (isPaid) return 'paid';
  return wasOverdue || awaitsPayment ? 'awaited' : 'nothing-due';
}
