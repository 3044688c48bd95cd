import type Stripe from 'stripe';

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;

/** The parameters that keep a phase of a schedule as it is. */
export function unchangedPhase({ start_date, end_date, trial_end, items, discounts }: Phase): PhaseParams {
  const kept = discounts.flatMap(({ discount }) => (discount ? [{ discount: idOf(discount) }] : []));
  return {
    start_date,
    end_date,
    ...(trial_end ? { trial_end } : {}),
    ...(kept.length > 0 ? { discounts: kept } : {}),
    items: items.map((item) => ({ price: idOf(item.price), quantity: item.quantity })),
  };
}

/**
 * The phases of a schedule whose trial ends later: the next phase starts then, and is as long as
 * before. Undefined for another schedule than one with a single change at the end of the trial, as
 * this service plans it: its other phases might not suit the new time.
 */
export function phasesWithTrialEnd(
  { status, phases, current_phase, end_behavior }: Stripe.SubscriptionSchedule,
  trialEnd: number,
): PhaseParams[] | undefined {
  const [current, next, ...more] = phases.filter(({ start_date }) => start_date >= (current_phase?.start_date ?? 0));
  const isOwn = status === 'active' && end_behavior === 'release' && more.length === 0;
  if (!isOwn || !current || !next || current.trial_end !== current.end_date) return undefined;
  const { proration_behavior } = next;
  const nextEnd = trialEnd + next.end_date - next.start_date;
  return [
    { ...unchangedPhase(current), end_date: trialEnd, trial_end: trialEnd },
    { ...unchangedPhase(next), start_date: trialEnd, end_date: nextEnd, proration_behavior },
  ];
}

const idOf = (value: string | { readonly id: string }) => (typeof value === 'string' ? value : value.id);
