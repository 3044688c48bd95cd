import { Injectable } from '@nestjs/common';
import { err, ok } from '../../platform/result';
import { BillingFailures } from '../billing.failures';
import { phasesWithTrialEnd } from './schedule-phases';
import { StripeClient } from './stripe-client';
import { callAboutSubscription, type SubscriptionResult } from './subscription-call';
import type { ChangeableSubscription } from './stripe-plan-changes';

/** Moves the ends of trials. */
@Injectable()
export class StripeTrials {
  constructor(private readonly stripeClient: StripeClient) {}

  /**
   * Sets the end of a trial, and moves what is planned for it. CONFLICT for a schedule that this
   * service has not planned, or that is gone; NO_SUBSCRIPTION; BILLING_UNAVAILABLE.
   * @param trialEnd in seconds
   * @param key      makes repeated calls one
   */
  async extend({ id, scheduleId }: ChangeableSubscription, trialEnd: number, key: string): Promise<SubscriptionResult> {
    if (scheduleId) return this.extendScheduled(scheduleId, trialEnd, key);
    const params = { trial_end: trialEnd, proration_behavior: 'none' } as const;
    const updated = await callAboutSubscription(this.stripeClient, 'subscriptions.update', (stripe) =>
      stripe.subscriptions.update(id, params, { idempotencyKey: `${key}-trial` }),
    );
    return updated.ok ? ok() : updated;
  }

  /** The schedule has the end of the trial, too, and would start its next phase at that time. */
  private async extendScheduled(id: string, trialEnd: number, key: string): Promise<SubscriptionResult> {
    const found = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.retrieve', (stripe) =>
      stripe.subscriptionSchedules.retrieve(id),
    );
    if (!found.ok) return found;
    const phases = phasesWithTrialEnd(found.value, trialEnd);
    if (!phases) return err(BillingFailures.trialEndFixed);
    const params = { phases, proration_behavior: 'none' } as const;
    const updated = await callAboutSubscription(this.stripeClient, 'subscriptionSchedules.update', (stripe) =>
      stripe.subscriptionSchedules.update(id, params, { idempotencyKey: `${key}-trial` }),
    );
    return updated.ok ? ok() : updated;
  }
}
