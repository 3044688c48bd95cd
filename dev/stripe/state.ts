import { Scheduler } from './scheduler';
import { SeededRandom } from './seeded-random';
import type {
  Cause,
  CouponRecord,
  CustomerRecord,
  DiscountRecord,
  EventRecord,
  InvoiceRecord,
  PortalRecord,
  PriceRecord,
  ProductRecord,
  PromotionCodeRecord,
  ScheduleRecord,
  SessionRecord,
  SubscriptionRecord,
} from './records';
import { Table } from './in-memory-table';
import { seedCatalogue } from './seed-prices';

/** The cause of an event that no request caused. */
export const NO_CAUSE: Cause = { id: null, idempotency_key: null };
const EVENTS_KEPT_SECONDS = 30 * 24 * 60 * 60;

/** All data of the stand-in, and its clock. */
export class State {
  readonly products = new Table<ProductRecord>();
  readonly prices = new Table<PriceRecord>();
  readonly customers = new Table<CustomerRecord>();
  readonly subscriptions = new Table<SubscriptionRecord>();
  readonly invoices = new Table<InvoiceRecord>();
  readonly sessions = new Table<SessionRecord>();
  readonly portals = new Table<PortalRecord>();
  readonly schedules = new Table<ScheduleRecord>();
  readonly coupons = new Table<CouponRecord>();
  readonly promotionCodes = new Table<PromotionCodeRecord>();
  readonly discounts = new Table<DiscountRecord>();
  readonly events = new Table<EventRecord>();
  readonly scheduler = new Scheduler<SubscriptionRecord | SessionRecord>();
  readonly random: SeededRandom;
  /** How far the clock is ahead of real time. */
  aheadMs = 0;
  /** Classic billing: the portal cancels with `cancel_at_period_end`. */
  isBillingClassic = false;
  /** Part of the paths that are not expanded. */
  unexpandable: string | undefined;
  /** The current API request, which its events refer to. */
  cause: Cause = NO_CAUSE;
  /** The rate of automatic tax. */
  taxPercent = 20;
  /** Base URL of the pages. */
  url = '';

  constructor(
    private readonly wallClock: () => Date,
    seed?: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  /** Creates what the service sells, and a promotion code, as far as they are missing. */
  stock(): void {
    const { products, prices, coupon, promotionCode } = seedCatalogue(this.seconds());
    for (const product of products) if (!this.products.get(product.id)) this.products.add(product);
    for (const price of prices) if (!this.prices.get(price.id)) this.prices.add(price);
    if (!this.coupons.get(coupon.id)) this.coupons.add(coupon);
    if (!this.promotionCodes.get(promotionCode.id)) this.promotionCodes.add(promotionCode);
  }

  now(): Date {
    return new Date(this.wallClock().getTime() + this.aheadMs);
  }

  /** The time in seconds, as in Stripe's API. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  wallSeconds(): number {
    return Math.floor(this.wallClock().getTime() / 1000);
  }

  priceOf({ price }: { readonly price: string }): PriceRecord {
    return this.prices.get(price)!; // every record has an existing price, and prices are never deleted
  }

  /** Deletes events older than 30 days. In batches, because each deletion copies the rest. */
  forgetOldEvents(): void {
    const oldest = this.seconds() - EVENTS_KEPT_SECONDS;
    const events = this.events.all();
    const kept = events.findIndex(({ created, delivery }) => created >= oldest || delivery === 'waiting');
    const old = kept === -1 ? events.length : kept;
    if (old >= 500) this.events.dropOldest(old);
  }
}
