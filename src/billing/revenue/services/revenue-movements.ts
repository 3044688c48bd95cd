import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { BillingDayRepository } from '../data/billing-day.repository';
import { BillingDay } from '../domain/billing-day';
import { movementOf } from '../domain/revenue-movement';
import { SubscriptionAmounts } from './subscription-amounts';

/** Counts trials, conversions and churn in the transaction of the changes that they are. */
@Injectable()
export class RevenueMovements {
  constructor(
    private readonly days: BillingDayRepository,
    private readonly amounts: SubscriptionAmounts,
    private readonly clock: Clock,
  ) {}

  /** @param subscriptions changed ones, as they are stored in the running transaction */
  async record(subscriptions: readonly Subscription[]): Promise<void> {
    const now = this.clock.now();
    const movements = subscriptions.flatMap((subscription) => {
      const movement = movementOf(subscription.loaded, subscription, (terms) => this.amounts.of(terms));
      return movement ? [BillingDay.moved(movement, now)] : [];
    });
    if (movements.length > 0) await this.days.add(movements);
  }
}
