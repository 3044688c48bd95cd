import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { SyncRequested } from '../../billing.events';
import { UnknownPriceReport } from '../../catalogue/services/unknown-price-report';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { Reading } from '../../stripe/stripe-reading.mapper';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { isOver, type SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import { SubscriptionWriter } from '../../subscriptions/services/subscription-writer';
import { SubscriptionMatcher } from './subscription-matcher';

/** Numbers of subscriptions. */
export interface ReadingCounts {
  /** Returned by Stripe. */
  readonly seen: number;
  /** Subscriptions whose stored copy differed (drift). */
  readonly corrected: number;
  /** Without a tenant, or with an unknown price or status. */
  readonly unknown: number;
  /** Ids of prices of tenants' live subscriptions that belong to no plan. */
  readonly unknownPrices: readonly string[];
}

/** The result of a reading. */
interface Corrected {
  /** The subscriptions that have visibly changed. */
  readonly corrected: readonly Subscription[];
  /** Those of tenants whose price belongs to no plan. */
  readonly unpriced: readonly SubscriptionSnapshot[];
  /** The ids of those that count as unknown. */
  readonly unmatched: readonly string[];
  readonly counts: ReadingCounts;
}

/** Subscriptions that have ended need no price. */
const isUnpriced = ({ plan, status }: SubscriptionSnapshot) => !plan && !isOver(status);

/** Applies subscriptions of any customers, as read from Stripe, to the stored ones. */
@Injectable()
export class StripeReadingApplier {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly unknownPrices: UnknownPriceReport,
    private readonly cache: PlanCache,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Corrects what differs, in one transaction; then reports what an operator should know, and
   * refreshes the cached plans.
   * @param finish ends the transaction, with the counts
   */
  async apply<T>(reading: Reading, finish: (counts: ReadingCounts) => Promise<T>): Promise<Result<T>> {
    const applied = await this.unitOfWork.acrossTenants(async () => {
      const result = await this.correct(reading);
      return ok({ ...result, finished: await finish(result.counts) });
    });
    if (!applied.ok) return applied;
    const { corrected, finished } = applied.value;
    this.report(applied.value);
    for (const subscription of corrected) await this.cache.put(subscription.tenantId, subscription);
    return ok(finished);
  }

  private report({ unpriced, unmatched }: Corrected): void {
    for (const { priceId, subscriptionId } of unpriced) this.unknownPrices.report(priceId, subscriptionId);
    if (unmatched.length > 0)
      this.log.warn(
        { event: 'sync.subscriptions_unmatched', subscriptions: unmatched },
        'Subscriptions at Stripe match none of a tenant, or have an unknown price or status',
      );
  }

  private async correct({ snapshots, completeUntil, at }: Reading): Promise<Corrected> {
    const matcher = new SubscriptionMatcher(await this.lock(snapshots));
    const groups = matcher.group(snapshots);
    const rows = [...groups.keys()];
    const overtaken = rows.filter((row) => row.mayBeNewerThan(completeUntil));
    for (const [row, own] of groups) if (!overtaken.includes(row)) row.applyReading(own, at);
    await this.subscriptionWriter.save(rows, 'sync', completeUntil);
    const corrected = rows.filter(({ isVisiblyChanged }) => isVisiblyChanged);
    await this.requestSyncs(snapshots, { corrected, overtaken }, matcher);
    const unmatched = snapshots.flatMap((one) => (matcher.isUnknown(one) ? one.subscriptionId : []));
    const unpriced = snapshots.filter((snapshot) => matcher.find(snapshot) && isUnpriced(snapshot));
    const unknownPrices = [...new Set(unpriced.flatMap(({ priceId }) => priceId ?? []))];
    const counts = { seen: snapshots.length, corrected: corrected.length, unknown: unmatched.length, unknownPrices };
    return { corrected, unpriced, unmatched, counts };
  }

  /**
   * An ended subscription may have a successor on a page that was read before; a row whose last
   * change may be newer was left as it is; a live subscription may have been passed over; and a
   * page does not say whether an invoice is paid. They are read again, one tenant at a time.
   */
  private async requestSyncs(
    snapshots: readonly SubscriptionSnapshot[],
    { corrected, overtaken }: Readonly<Record<'corrected' | 'overtaken', readonly Subscription[]>>,
    matcher: SubscriptionMatcher,
  ): Promise<void> {
    const ended = corrected.flatMap(({ isLiveAtStripe, awaitsPayment, tenantId }) =>
      isLiveAtStripe && !awaitsPayment ? [] : tenantId,
    );
    const passedOver = snapshots.flatMap((snapshot) => {
      const row = isOver(snapshot.status) ? undefined : matcher.find(snapshot);
      return row && !row.isLiveAtStripe ? row.tenantId : [];
    });
    const tenantIds = new Set([...ended, ...passedOver, ...overtaken.map(({ tenantId }) => tenantId)]);
    await this.events.publish(...[...tenantIds].map((tenantId) => new SyncRequested(tenantId)));
  }

  /** Tenants without a row get one first: the event of their checkout was never delivered. */
  private async lock(snapshots: readonly SubscriptionSnapshot[]): Promise<Subscription[]> {
    const tenantIds = [...new Set(snapshots.flatMap(({ tenantId }) => tenantId ?? []))];
    await this.subscriptions.addFree(tenantIds, this.clock.now());
    return this.subscriptions.lockAll({
      subscriptionIds: snapshots.map(({ subscriptionId }) => subscriptionId),
      customerIds: [...new Set(snapshots.map(({ customerId }) => customerId))],
      tenantIds,
    });
  }
}
