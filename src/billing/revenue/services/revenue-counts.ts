import { Injectable } from '@nestjs/common';
import { RowCounts } from '../../../platform/database/row-counts';
import { countedTermsOf, type CountedTerms } from '../domain/counted-terms';
import { revenueLines, type RevenueLine } from '../domain/revenue-line';
import { SubscriptionAmounts } from './subscription-amounts';

/**
 * The current subscriptions and their revenue, from counts that the database keeps
 * (docs/decisions/0044-revenue.md): no subscription is read.
 */
@Injectable()
export class RevenueCounts {
  constructor(
    private readonly rowCounts: RowCounts,
    private readonly amounts: SubscriptionAmounts,
  ) {}

  async read(): Promise<RevenueLine[]> {
    const counted = await this.counted();
    if (counted.some((terms) => this.amounts.of(terms) === null)) await this.amounts.reload();
    return revenueLines(counted, (terms) => this.amounts.of(terms));
  }

  /** The prices of current subscriptions whose amounts are unknown. */
  async unknownPrices(): Promise<string[]> {
    await this.amounts.reload();
    const unknown = (await this.counted()).filter((terms) => this.amounts.of(terms) === null);
    return [...new Set(unknown.flatMap(({ priceId }) => priceId ?? []))];
  }

  private async counted(): Promise<CountedTerms[]> {
    return (await this.rowCounts.read('subscription_terms')).flatMap(countedTermsOf);
  }
}
