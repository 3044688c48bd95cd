import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { ok } from '../../../platform/result';
import type { SubscriptionResult } from '../../stripe/subscription-call';
import type { ChangeableSubscription } from '../../stripe/stripe-plan-changes';
import { StripePreviews } from '../../stripe/stripe-previews';
import type { PlannedItem } from '../../stripe/stripe-schedules';
import type { ChangePreview } from '../domain/change-preview';

/** Asks Stripe what a change of plan costs. */
@Injectable()
export class PlanChangePreviewer {
  constructor(
    private readonly previews: StripePreviews,
    private readonly clock: Clock,
  ) {}

  /**
   * A trial continues after a change, so nothing is due before its end. NO_SUBSCRIPTION; CONFLICT;
   * BILLING_UNAVAILABLE.
   */
  async preview(
    subscription: ChangeableSubscription,
    item: PlannedItem,
    when: 'now' | 'period-end',
  ): Promise<SubscriptionResult<ChangePreview>> {
    const next = await this.previews.ofPeriod(subscription, item);
    if (!next.ok) return next;
    const { currency, isTrialing } = subscription;
    const nextAmount = next.value.amountDue;
    const isPaidNow = when === 'now' && !isTrialing;
    const at = when === 'now' ? this.clock.now() : endOf(subscription);
    const later = { currency, amountDueNow: 0, nextAmount, at: at.toISOString(), lines: next.value.lines };
    if (!isPaidNow) return ok(later);
    const due = await this.previews.ofChange(subscription, item);
    return due.ok ? ok({ ...later, amountDueNow: due.value.amountDue, lines: due.value.lines }) : due;
  }

  /** The end of the subscription: nothing more is charged. */
  ofEnd(subscription: ChangeableSubscription): ChangePreview {
    const { currency } = subscription;
    return { currency, amountDueNow: 0, nextAmount: 0, at: endOf(subscription).toISOString(), lines: [] };
  }
}

const endOf = ({ periodEnd }: ChangeableSubscription) => new Date(periodEnd * 1000);
