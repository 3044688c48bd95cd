import { setTimeout as pause } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { Job, Jobs, type JobRequest } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { SyncRunRepository } from '../data/sync-run.repository';
import type { SyncRun } from '../domain/sync-run';
import { rangeOf } from '../services/page-steps';
import { PageReconciler } from '../services/page-reconciler';
import type { StripeResult } from '../../stripe/stripe-client';
import type { Reading, SubscriptionPage } from '../../stripe/stripe-reading.mapper';
import { StripeSubscriptions } from '../../stripe/stripe-subscriptions';

/** Pages per job. A stopping service waits for the running job. */
const PAGES_PER_JOB = 20;
/** Missing subscriptions per job. Each costs a call to Stripe. */
const MISSING_PER_JOB = 50;
/**
 * How often a call is repeated that Stripe throttles, before the job fails and is retried later.
 */
const THROTTLED_RETRIES = 5;
/** Seconds that a job waits if Stripe throttles. For a longer wait it fails at once. */
const MAX_WAIT_SECONDS = 10;

/**
 * Compares all stored subscriptions with Stripe and corrects them, page by page (docs/contract.md,
 * Sync): the number of calls grows with pages, not tenants. After a failure the run continues from
 * its last page, by the job's next attempt or by the next scheduled run.
 */
@Job('sync-subscriptions', 'processor')
export class SyncAllSubscriptions extends Command<StripeResult> {
  constructor(
    readonly runId: string,
    /**
     * The last tenant whose missing subscription was checked on the current page; null: none yet.
     */
    readonly after: string | null = null,
  ) {
    super();
  }
}

/** The key of its job, so that only one waits. */
export const SYNC_KEY = 'sync-subscriptions';

/** The job for it. */
export const syncAllSubscriptionsJob = (runId: string, after: string | null = null): JobRequest => ({
  command: new SyncAllSubscriptions(runId, after),
  key: SYNC_KEY,
});

@CommandHandler(SyncAllSubscriptions)
export class SyncAllSubscriptionsHandler implements ICommandHandler<SyncAllSubscriptions> {
  constructor(
    private readonly runs: SyncRunRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly pageReconciler: PageReconciler,
    private readonly stripeSubscriptions: StripeSubscriptions,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute({ runId, after }: SyncAllSubscriptions): Promise<StripeResult> {
    let run = (await this.runs.find(runId)) ?? undefined;
    for (let page = 0; run?.isReading; page++) {
      if (page === PAGES_PER_JOB) return this.continueWith(syncAllSubscriptionsJob(runId));
      const read = await this.withThrottling(() => this.stripeSubscriptions.listPage(run!.cursor));
      if (!read.ok) return read;
      const checked = await this.checkMissing(run, read.value, page === 0 ? after : null);
      if (!checked.ok) return checked;
      if (checked.value) return this.continueWith(syncAllSubscriptionsJob(runId, checked.value));
      const reconciled = await this.pageReconciler.reconcilePage(run, read.value);
      if (!reconciled.ok) return reconciled;
      run = reconciled.value;
    }
    return run && !run.finishedAt ? this.finish(run) : ok();
  }

  /**
   * A live subscription that is not on the page where it belongs is from another account, was
   * deleted with its customer, or was created in the same second as the last one on the page. They
   * are checked before the page is completed, so that a retry checks them again.
   * @returns the tenant after which there may be more; null if none are left
   */
  private async checkMissing(
    run: SyncRun,
    page: SubscriptionPage,
    after: string | null,
  ): Promise<StripeResult<string | null>> {
    const missing = await this.inEveryTenant(() =>
      this.subscriptions.missingOn(rangeOf(run, page), after, MISSING_PER_JOB),
    );
    for (const one of missing) {
      const reading = await this.withThrottling(() => this.stripeSubscriptions.get(one.subscriptionId));
      if (!reading.ok) return reading;
      const reconciled = await this.pageReconciler.reconcileMissing(run, one, reading.value, page.completeUntil);
      if (!reconciled.ok) return reconciled;
    }
    return ok(missing.length === MISSING_PER_JOB ? missing.at(-1)!.tenantId : null);
  }

  private async finish(run: SyncRun): Promise<Result> {
    await this.runs.finish(run.id, this.clock.now());
    const { seen, corrected, unknown, unknownPrices } = (await this.runs.find(run.id))!;
    this.log[corrected + unknown > 0 ? 'warn' : 'info'](
      { event: 'sync.finished', seen, corrected, unknown, unknownPrices },
      'Compared all subscriptions with Stripe',
    );
    return ok();
  }

  private async continueWith(job: JobRequest): Promise<Result> {
    await this.jobs.enqueueAll([job]);
    return ok();
  }

  private async inEveryTenant<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.unitOfWork.acrossTenants(async () => ok(await work()));
    return (done as { value: T }).value;
  }

  /** Waits for the time that Stripe requests when it throttles. */
  private async withThrottling<T extends Reading>(ask: () => Promise<StripeResult<T>>): Promise<StripeResult<T>> {
    for (let retry = 0; ; retry++) {
      const response = await ask();
      const wait = response.ok ? undefined : response.failure.retryAfter;
      if (wait === undefined || wait > MAX_WAIT_SECONDS || retry === THROTTLED_RETRIES) return response;
      await pause(wait * 1000);
    }
  }
}
