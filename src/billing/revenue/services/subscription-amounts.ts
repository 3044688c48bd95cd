import { Injectable } from '@nestjs/common';
import { KnownPrices } from '../../catalogue/services/known-prices';
import type { SubscriptionTerms } from '../domain/counted-terms';
import { monthlyAmountOf } from '../domain/monthly-amount';

/** What subscriptions pay per month, by the prices that this instance has read. */
@Injectable()
export class SubscriptionAmounts {
  constructor(private readonly knownPrices: KnownPrices) {}

  /** Null: the amount is not known. */
  of(terms: SubscriptionTerms): number | null {
    const { priceId } = terms;
    const interval = priceId === null ? undefined : this.knownPrices.termsOf(priceId)?.interval;
    const amounts = priceId === null ? null : this.knownPrices.amountsOf(priceId);
    return monthlyAmountOf(interval && amounts ? { interval, amounts } : undefined, terms);
  }

  /** Reads the amounts that other instances have learned. */
  reload(): Promise<void> {
    return this.knownPrices.reload();
  }
}
