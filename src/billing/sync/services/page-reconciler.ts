import { Injectable } from '@nestjs/common';
import { isUnavailable } from '../../../platform/database/database-errors';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import type { Reading, SubscriptionPage } from '../../stripe/stripe-reading.mapper';
import { SubscriptionRepository, type MissingFromSync } from '../../subscriptions/data/subscription.repository';
import type { SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import { SyncRunRepository } from '../data/sync-run.repository';
import type { SyncRun } from '../domain/sync-run';
import { stepInPlace, stepOver, type Step } from './page-steps';
import { StripeReadingApplier, type ReadingCounts } from './stripe-reading-applier';

/**
 * Compares a page of Stripe's subscriptions with the stored ones, corrects what differs and
 * advances the run, in one transaction.
 */
@Injectable()
export class PageReconciler {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly runs: SyncRunRepository,
    private readonly stripeReadingApplier: StripeReadingApplier,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  /**
   * If the page cannot be stored as a whole, its customers are stored one by one: one bad
   * subscription must not prevent the correction of all others.
   * @returns the run after the page, or undefined if another job has already done this page
   */
  async reconcilePage(run: SyncRun, page: SubscriptionPage): Promise<Result<SyncRun | undefined>> {
    const step = stepOver(run, page);
    try {
      return await this.stripeReadingApplier.apply(page, (counts) =>
        this.runs.advance(run.id, { ...step, since: page.completeUntil, ...counts }),
      );
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error(
        { event: 'sync.page_failed', err: error, run: run.id },
        'A page of subscriptions could not be stored; its customers are stored one by one',
      );
      return this.reconcileByCustomer(run, page, step);
    }
  }

  /**
   * The same for one subscription that was requested by id; its page is still to be done. Stripe
   * may not know it: it belongs to another account, or its test data was deleted.
   * @param since until when the page is complete
   */
  async reconcileMissing(
    run: SyncRun,
    missing: MissingFromSync,
    reading: Reading,
    since: Date,
  ): Promise<Result<SyncRun | undefined>> {
    const counts = await (reading.snapshots.length > 0 ? this.applyOrReport(reading) : this.markMissing(missing));
    return this.advance(run, stepInPlace(run), since, { ...counts, seen: 0 });
  }

  private async markMissing({ tenantId, subscriptionId }: MissingFromSync): Promise<ReadingCounts> {
    await this.unitOfWork.acrossTenants(async () => {
      const subscription = await this.subscriptions.lockByTenant(tenantId);
      if (subscription?.markMissing(subscriptionId)) await this.subscriptions.save([subscription]);
      return ok();
    });
    this.log.warn(
      { event: 'sync.subscription_missing', tenantId, subscriptionId },
      'A stored subscription is unknown to Stripe',
    );
    return { seen: 0, corrected: 0, unknown: 1, unknownPrices: [] };
  }

  private async reconcileByCustomer(
    run: SyncRun,
    { snapshots, ...times }: Reading,
    step: Step,
  ): Promise<Result<SyncRun | undefined>> {
    const sum = { seen: 0, corrected: 0, unknown: 0, unknownPrices: [] as string[] };
    for (const own of groupByCustomer(snapshots).values()) {
      const counts = await this.applyOrReport({ snapshots: own, ...times });
      for (const name of ['seen', 'corrected', 'unknown'] as const) sum[name] += counts[name];
      sum.unknownPrices.push(...counts.unknownPrices);
    }
    return this.advance(run, step, times.completeUntil, sum);
  }

  private async applyOrReport(reading: Reading): Promise<ReadingCounts> {
    try {
      const applied = await this.stripeReadingApplier.apply(reading, (counts) => Promise.resolve(counts));
      return (applied as { value: ReadingCounts }).value;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const { snapshots } = reading;
      this.log.error(
        { event: 'sync.customer_failed', err: error, customer: snapshots[0].customerId },
        'The subscriptions of a customer could not be stored',
      );
      return { seen: snapshots.length, corrected: 0, unknown: snapshots.length, unknownPrices: [] };
    }
  }

  private advance(run: SyncRun, step: Step, since: Date, counts: ReadingCounts): Promise<Result<SyncRun | undefined>> {
    return this.unitOfWork.transaction(async () => ok(await this.runs.advance(run.id, { ...step, since, ...counts })));
  }
}

function groupByCustomer(snapshots: readonly SubscriptionSnapshot[]): Map<string, SubscriptionSnapshot[]> {
  const groups = new Map<string, SubscriptionSnapshot[]>();
  for (const snapshot of snapshots)
    groups.set(snapshot.customerId, [...(groups.get(snapshot.customerId) ?? []), snapshot]);
  return groups;
}
