import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Log } from '../../../platform/observability/log';
import { KnownPriceRepository } from '../data/known-price.repository';
import { KnownPrice, type PriceTerms, type SeenPrice } from '../domain/known-price';
import type { PriceAmounts } from '../domain/plan-price';

/** What this instance knows of a price. */
interface Known {
  readonly terms: PriceTerms;
  readonly amounts: PriceAmounts | null;
}

/**
 * The prices that were ever seen as ours, in the memory of this instance: a webhook looks a price
 * up without a query. An instance learns what others have added when it meets an unknown price in a
 * reading.
 */
@Injectable()
export class KnownPrices implements OnApplicationBootstrap {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly prices: KnownPriceRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Without a database the instance starts all the same, and reads them later. */
  async onApplicationBootstrap(): Promise<void> {
    await this.reload().catch((error: unknown) => {
      this.log.warn({ event: 'billing.prices_unread', err: error }, 'The known prices could not be read');
    });
  }

  termsOf(priceId: string): PriceTerms | undefined {
    return this.known.get(priceId)?.terms;
  }

  /** What it costs per period; null: not known. */
  amountsOf(priceId: string): PriceAmounts | null {
    return this.known.get(priceId)?.amounts ?? null;
  }

  async reload(): Promise<void> {
    for (const { priceId, plan, interval, amounts } of await this.prices.list())
      this.known.set(priceId, { terms: { plan, interval }, amounts });
  }

  /** Stores what is not known. What a price was first seen as stays; amounts may be added. */
  async remember(seen: readonly SeenPrice[]): Promise<void> {
    const prices = [...new Map(seen.map((price) => [price.id, price])).values()]; // a setting can name a found one
    const [added, priced] = [prices.filter((one) => this.isNew(one)), prices.filter((one) => this.isPriced(one))];
    if (added.length === 0 && priced.length === 0) return;
    const now = this.clock.now();
    if (added.length > 0) await this.prices.add(added.map((price) => KnownPrice.of(price, now)));
    if (priced.length > 0) await this.prices.addWithAmounts(priced.map((price) => KnownPrice.of(price, now)));
    await this.reload();
  }

  private isNew({ id, amounts }: SeenPrice): boolean {
    return !amounts && !this.known.has(id);
  }

  private isPriced({ id, amounts }: SeenPrice): boolean {
    return amounts !== null && !isDeepStrictEqual(amounts, this.amountsOf(id));
  }
}
