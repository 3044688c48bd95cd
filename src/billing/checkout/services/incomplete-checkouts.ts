import { Injectable } from '@nestjs/common';
import { ok } from '../../../platform/result';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import type { StripeResult } from '../../stripe/stripe-client';
import { StripeSubscriptions } from '../../stripe/stripe-subscriptions';
import { isIncomplete, isOver, type SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import { SubscriptionRefresher } from '../../sync/services/subscription-refresher';

/** Ends checkouts whose first invoice was not paid, so that they block no other one. */
@Injectable()
export class IncompleteCheckouts {
  constructor(
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeCheckouts: StripeCheckouts,
    private readonly stripeSubscriptions: StripeSubscriptions,
  ) {}

  /**
   * Reads a tenant's subscriptions from Stripe, as `SubscriptionRefresher.refresh`. If only
   * incomplete ones are live, their open checkouts are expired, and they are canceled. One without
   * an open checkout stays: its payment may still be processing.
   */
  async refresh(tenantId: string, customerId: string): ReturnType<SubscriptionRefresher['refresh']> {
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    const live = refreshed.ok ? (refreshed.value?.snapshots ?? []).filter(({ status }) => !isOver(status)) : [];
    if (live.length === 0 || !live.every(({ status }) => isIncomplete(status))) return refreshed;
    const expired = await this.expire(customerId, live);
    if (!expired.ok) return expired;
    return expired.value ? this.subscriptionRefresher.refresh(tenantId) : refreshed;
  }

  /** @returns whether any was expired */
  private async expire(
    customerId: string,
    incomplete: readonly SubscriptionSnapshot[],
  ): Promise<StripeResult<boolean>> {
    const open = await this.stripeCheckouts.listOpen(customerId);
    if (!open.ok) return open;
    const own = open.value.filter((checkout) =>
      incomplete.some(({ subscriptionId }) => subscriptionId === checkout.subscriptionId),
    );
    for (const { id, subscriptionId } of own) {
      const expired = await this.stripeCheckouts.expire(id);
      if (!expired.ok) return expired;
      if (!expired.value) continue; // it may have been paid
      const canceled = await this.stripeSubscriptions.cancel(subscriptionId!);
      if (!canceled.ok) return canceled;
    }
    return ok(own.length > 0);
  }
}
