import type Stripe from 'stripe';
import { endOfPeriod } from './billing-period';
import type { ProrationBehavior } from './subscription-change';
import type { SchedulePhase, ScheduleRecord } from './records';
import { mergedMetadata } from './routes';
import type { State } from './state';
import { resourceMissing, StripeError } from './stripe-error';
import { refuseUnusablePrice } from './subscription-parameters';

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase;

/**
 * The phases of a schedule, from the parameters of a request. They start where the current phase
 * starts, and each where the one before ends.
 * @throws a StripeError if they do not
 */
export function phasesOf(state: State, schedule: ScheduleRecord, phases: readonly Phase[]): SchedulePhase[] {
  const first = schedule.phases[schedule.phase];
  const now = state.seconds();
  let start = first.start;
  return phases.map((params, index) => {
    const param = `phases[${index}]`;
    const given = params.start_date === 'now' ? now : params.start_date;
    if (given !== undefined && given !== start)
      throw new StripeError(
        index === 0
          ? 'You can not modify the start date of the current phase.'
          : 'The start date of a phase must be the end date of the phase before it.',
        { param: `${param}[start_date]` },
      );
    const phase = phaseOf(state, schedule.currency, params, start, param);
    if (phase.end <= start || phase.end < now)
      throw new StripeError('The end date of a phase must be after its start date, and in the future.', {
        param: `${param}[end_date]`,
      });
    if (phase.trialEnd !== null && phase.trialEnd > phase.end)
      throw new StripeError('The trial of a phase must end within the phase.', { param: `${param}[trial_end]` });
    start = phase.end;
    return phase;
  });
}

function phaseOf(state: State, currency: string, params: Phase, start: number, param: string): SchedulePhase {
  const [item, ...others] = params.items;
  if (!item?.price || others.length > 0)
    throw new StripeError('This stand-in has one item per subscription.', { param: `${param}[items]` });
  refuseUnusablePrice(state, item.price, currency, `${param}[items][0][price]`);
  return {
    start,
    end: endOf(state, params, item.price, start),
    price: item.price,
    quantity: item.quantity ?? 1,
    proration: (params.proration_behavior as ProrationBehavior | undefined) ?? 'create_prorations',
    trialEnd: typeof params.trial_end === 'number' ? params.trial_end : null,
    discounts: discountsOf(state, params, param),
    metadata: mergedMetadata({}, params.metadata),
  };
}

function discountsOf(state: State, { discounts }: Phase, param: string): string[] {
  return (discounts || []).map(({ discount }, index) => {
    const name = `${param}[discounts][${index}][discount]`;
    if (discount === undefined) throw new StripeError('This stand-in plans with discounts only.', { param: name });
    if (!state.discounts.get(discount)) throw resourceMissing('discount', discount, name);
    return discount;
  });
}

/** Without an end or a duration, a phase lasts one period of its price. */
function endOf(state: State, { end_date: end, duration }: Phase, price: string, start: number): number {
  if (end !== undefined) return end === 'now' ? state.seconds() : end;
  if (duration === undefined) return endOfPeriod(start, start, state.priceOf({ price }));
  const { interval, interval_count: intervalCount = 1 } = duration;
  return endOfPeriod(start, start, { interval: interval as 'month', intervalCount });
}
