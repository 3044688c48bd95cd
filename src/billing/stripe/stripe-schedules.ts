import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ok } from '../../platform/result';
import type { BillingInterval } from '../catalogue/domain/plan-catalogue';
import { unchangedPhase } from './schedule-phases';
import { nullIfMissing } from './missing-object';
import { StripeClient } from './stripe-client';
import { callAboutSubscription, type SubscriptionResult } from './subscription-call';
import type { ChangeableSubscription, NewItem } from './stripe-plan-changes';

/** An item, and how often it is paid. */
export type PlannedItem = NewItem & { readonly interval: BillingInterval };

/**
 * Plans changes of Stripe's subscriptions for the end of the period. Every call may return
 * BILLING_UNAVAILABLE, and NO_SUBSCRIPTION or CONFLICT if subscription or schedule is gone.
 */
@Injectable()
export class StripeSchedules {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * Plans another item for the next period. The subscription must have no schedule, and continues
   * without one afterwards. After a failure nothing is planned, as far as Stripe can be reached.
   * @param key makes repeated calls one
   */
  async plan({ id, priceId }: ChangeableSubscription, item: PlannedItem, key: string): Promise<SubscriptionResult> {
    const created = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.create', (stripe) =>
      stripe.subscriptionSchedules.create({ from_subscription: id }, { idempotencyKey: `${key}-schedule` }),
    );
    if (!created.ok) return created;
    const { id: scheduleId } = created.value;
    const params = phasesOf(created.value, priceId, item);
    const planned = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.update', (stripe) =>
      stripe.subscriptionSchedules.update(scheduleId, params, { idempotencyKey: `${key}-phases` }),
    );
    if (planned.ok) return ok();
    await this.stripeClient.call('subscriptionSchedules.release', (stripe) =>
      stripe.subscriptionSchedules
        .release(scheduleId, undefined, { idempotencyKey: `${key}-undo` })
        .catch(nullIfMissing()),
    );
    return planned;
  }

  /** Plans another item for the next period in place of the planned one. */
  async replace(scheduleId: string, present: string, item: PlannedItem, key: string): Promise<SubscriptionResult> {
    const planned = await this.replan(scheduleId, present, item);
    if (!planned.ok) return planned;
    const replaced = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.update', (stripe) =>
      stripe.subscriptionSchedules.update(scheduleId, planned.value, { idempotencyKey: `${key}-replace` }),
    );
    return replaced.ok ? ok() : replaced;
  }

  /**
   * What a schedule becomes with another item for the next period.
   * @param present the price that the new item replaces
   */
  async replan(
    scheduleId: string,
    present: string,
    item: PlannedItem,
  ): Promise<SubscriptionResult<ReturnType<typeof phasesOf>>> {
    const found = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.retrieve', (stripe) =>
      stripe.subscriptionSchedules.retrieve(scheduleId),
    );
    return found.ok ? ok(phasesOf(found.value, present, item)) : found;
  }
}

/**
 * The current phase as it is, and the next one with the new item. Stripe takes from a subscription
 * what a phase does not name: discounts and other items are in both.
 * @param present the price that the new item replaces
 */
export function phasesOf(
  { phases, current_phase }: Pick<Stripe.SubscriptionSchedule, 'phases' | 'current_phase'>,
  present: string,
  { priceId, quantity, interval }: PlannedItem,
) {
  const phase = phases.find(({ start_date }) => start_date === current_phase?.start_date) ?? phases[0];
  const current = unchangedPhase(phase);
  const { items, discounts } = current;
  const own = items.findIndex(({ price }) => price === present);
  return {
    end_behavior: 'release' as const,
    proration_behavior: 'none' as const,
    phases: [
      current,
      {
        ...(discounts ? { discounts } : {}),
        items: items.with(Math.max(0, own), { price: priceId, quantity }),
        duration: { interval, interval_count: 1 },
        proration_behavior: 'none' as const,
      },
    ],
  };
}
