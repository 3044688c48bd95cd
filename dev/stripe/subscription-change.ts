import type { Promotion } from './discounts';
import { DAY, endOfPeriod } from './billing-period';
import { remainingTime, unusedTime } from './invoice-lines';
import type { InvoiceLine, Metadata, PauseCollection, SubscriptionRecord } from './records';
import { StripeError } from './stripe-error';
import type { State } from './state';

/** What a change does to invoices: prorations on the next one, an invoice now, or nothing. */
export type ProrationBehavior = 'create_prorations' | 'always_invoice' | 'none';

/** A change of a subscription. What is absent stays as it is. */
export interface SubscriptionChange {
  readonly price?: string;
  readonly quantity?: number;
  readonly metadata?: Metadata;
  readonly pauseCollection?: PauseCollection | null;
  /** null removes a planned cancellation */
  readonly cancelAt?: number | 'period-end' | null;
  /** The new end of the trial, in seconds. A subscription without a trial gets one. */
  readonly trialEnd?: number;
  /** Default: create_prorations */
  readonly proration?: ProrationBehavior;
  /** The time from which the change is charged. Default: now */
  readonly prorationDate?: number;
  /** What replaces the discounts. */
  readonly promotions?: readonly Promotion[];
  /** Whether the change is refused if its invoice cannot be paid. */
  readonly isRefusedUnpaid?: boolean;
}

/** The outcome of a change, before it is made. */
export interface PlannedChange {
  readonly after: SubscriptionRecord;
  /** Whether a new period starts now, because the interval changed. */
  readonly isNewPeriod: boolean;
  /** Whether an invoice is created now. Otherwise prorations wait for the next one. */
  readonly isInvoiced: boolean;
}

/** The latest end of a trial: two years. */
const MOST_TRIAL_DAYS = 730;

/** Computes a change without making it. @param at in seconds */
export function plannedChange(
  state: State,
  before: SubscriptionRecord,
  change: SubscriptionChange,
  at: number,
): PlannedChange {
  const after: SubscriptionRecord = { ...before };
  if (change.metadata !== undefined) after.metadata = change.metadata;
  if (change.pauseCollection !== undefined) after.pauseCollection = change.pauseCollection;
  after.price = change.price ?? before.price;
  after.quantity = change.quantity ?? before.quantity;
  const isNewPeriod = hasNewPeriod(state, before, after);
  const lines = prorationsOf(state, before, after, change, at, isNewPeriod);
  after.prorations = lines.length ? [...before.prorations, ...lines] : before.prorations;
  if (isNewPeriod) startPeriod(state, after, at);
  if (change.trialEnd !== undefined) setTrialEnd(after, change.trialEnd, at);
  setCancellation(after, change.cancelAt, at);
  const isInvoiced = isNewPeriod || (change.proration === 'always_invoice' && lines.length > 0);
  return { after, isNewPeriod, isInvoiced };
}

/** The credit for what was paid, and the charge for what replaces it. */
function prorationsOf(
  state: State,
  before: SubscriptionRecord,
  after: SubscriptionRecord,
  { proration, prorationDate, trialEnd }: SubscriptionChange,
  now: number,
  isNewPeriod: boolean,
): InvoiceLine[] {
  const isCharged = before.status === 'active' || before.status === 'past_due';
  const isSame = before.price === after.price && before.quantity === after.quantity;
  if (!isCharged || proration === 'none' || (isSame && trialEnd === undefined)) return [];
  const at = prorationDate ?? now;
  if (at < before.periodStart || at > before.periodEnd)
    throw new StripeError('The proration date must be within the current period.', { param: 'proration_date' });
  if (at === before.periodEnd) return []; // nothing is left of it
  const credit = unusedTime(state, before, at);
  return isNewPeriod || trialEnd !== undefined ? [credit] : [credit, remainingTime(state, before, after, at)];
}

/** Stripe charges a price of another interval at once. During a trial the period stays. */
function hasNewPeriod(state: State, before: SubscriptionRecord, after: SubscriptionRecord): boolean {
  const [one, other] = [state.priceOf(before), state.priceOf(after)];
  const isOther = one.interval !== other.interval || one.intervalCount !== other.intervalCount;
  return isOther && (before.status === 'active' || before.status === 'past_due');
}

function startPeriod(state: State, after: SubscriptionRecord, at: number): void {
  after.anchor = at;
  after.periodStart = at;
  after.periodEnd = endOfPeriod(at, at, state.priceOf(after));
  if (after.isCancelAtPeriodEnd) after.cancelAt = after.periodEnd;
}

function setTrialEnd(after: SubscriptionRecord, trialEnd: number, at: number): void {
  if (trialEnd <= at)
    throw new StripeError('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    });
  if (trialEnd > at + MOST_TRIAL_DAYS * DAY)
    throw new StripeError('Invalid timestamp: can be no more than two years in the future.', { param: 'trial_end' });
  if (after.status !== 'trialing') Object.assign(after, { trialStart: at, periodStart: at });
  Object.assign(after, { status: 'trialing', trialEnd, anchor: trialEnd, periodEnd: trialEnd });
  after.isTrialEndAnnounced = false;
  if (after.isCancelAtPeriodEnd) after.cancelAt = trialEnd;
}

function setCancellation(after: SubscriptionRecord, cancelAt: SubscriptionChange['cancelAt'], at: number): void {
  if (cancelAt === undefined) return;
  if (typeof cancelAt === 'number' && cancelAt <= at)
    throw new StripeError('The cancel_at date must be in the future.', { param: 'cancel_at' });
  after.isCancelAtPeriodEnd = cancelAt === 'period-end';
  after.cancelAt = cancelAt === 'period-end' ? after.periodEnd : cancelAt;
  after.canceledAt = cancelAt === null ? null : at;
  after.cancellationReason = cancelAt === null ? null : 'cancellation_requested';
}
