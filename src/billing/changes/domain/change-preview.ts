import type { PreviewLine } from '../../stripe/stripe-previews';

/** What a change of plan costs, as Stripe computes it. Amounts are in the smallest unit. */
export interface ChangePreview {
  readonly currency: string;
  /** To be paid at once; 0 for a change at the end of the period, and during a trial. */
  readonly amountDueNow: number;
  /** The invoice of each period afterwards; 0 on Free. */
  readonly nextAmount: number;
  /** When the plan changes, and the next invoice is written if it changes later. */
  readonly at: string;
  readonly lines: readonly PreviewLine[];
}
