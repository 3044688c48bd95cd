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
import { PageReconciler, rangeOf } from '../services/page-reconciler';
import { StripeGateway, type Reading, type SubscriptionPage } from '../../stripe/stripe-gateway';

/** Pages per job: a service that stops waits for the running one. */
const PAGES_AT_A_TIME = 20;
/** Live ones that are missing on a page, per job: each costs a call. */
const STRAGGLERS_AT_A_TIME = 50;
/**
 * How often the processor may say "slow down" before the job gives way and is tried again later.
 */
const THROTTLED_TIMES = 5;
/** Seconds that a job waits for that; for longer it gives way at once. */
const LONGEST_WAIT = 10;

/**
 * Compares all subscriptions with the processor's and corrects ours, some pages at a time (contract
 * section 5): it costs pages, not tenants. What fails midway goes on from there, by the job's next
 * attempt or by the next run of the schedule.
 */
@Job('sync-subscriptions', 'processor')
export class SyncSubscriptions extends Command<Result> {
  constructor(
    readonly runId: string,
    /**
     * The tenant after which live ones are looked at that are missing on the next page; null: from
     * the first.
     */
    readonly after: string | null = null,
  ) {
    super();
  }
}

/** The key of its job: one at a time. */
export const SYNC_KEY = 'sync-subscriptions';

/** The job that does it. */
export const syncSubscriptionsJob = (runId: string, after: string | null = null): JobRequest => ({
  command: new SyncSubscriptions(runId, after),
  key: SYNC_KEY,
});

@CommandHandler(SyncSubscriptions)
export class SyncSubscriptionsHandler implements ICommandHandler<SyncSubscriptions> {
  constructor(
    private readonly runs: SyncRunRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly pageReconciler: PageReconciler,
    private readonly stripeGateway: StripeGateway,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute({ runId, after }: SyncSubscriptions): Promise<Result> {
    let run = await this.runs.find(runId);
    for (let page = 0; run && !run.finishedAt && !run.hasReadAll; page++) {
      if (page === PAGES_AT_A_TIME) return this.goOn(syncSubscriptionsJob(runId));
      const read = await this.patiently(() => this.stripeGateway.page(run!.cursor));
      if (!read.ok) return read;
      const stragglers = await this.lookAfterStragglers(run, read.value, page === 0 ? after : null);
      if (!stragglers.ok) return stragglers;
      if (stragglers.value) return this.goOn(syncSubscriptionsJob(runId, stragglers.value));
      const compared = await this.pageReconciler.compare(run, read.value);
      if (!compared.ok) return compared;
      run = compared.value;
    }
    return run && !run.finishedAt ? this.finish(run) : ok();
  }

  /**
   * A live subscription that is not on the page where it belongs is of another account, was deleted
   * with its customer, or was made within one second with the last on the page. Looked at before
   * the page is done with, so that whoever goes on after a failure looks again.
   * @returns after which tenant there may be more; null: none are left
   */
  private async lookAfterStragglers(
    run: SyncRun,
    page: SubscriptionPage,
    after: string | null,
  ): Promise<Result<string | null>> {
    const stragglers = await this.inEveryTenant(() =>
      this.subscriptions.missingOn(rangeOf(run, page), after, STRAGGLERS_AT_A_TIME),
    );
    for (const straggler of stragglers) {
      const reading = await this.patiently(() => this.stripeGateway.subscription(straggler.subscriptionId));
      if (!reading.ok) return reading;
      const compared = await this.pageReconciler.compareOne(run, straggler, reading.value, page.at);
      if (!compared.ok) return compared;
    }
    return ok(stragglers.length === STRAGGLERS_AT_A_TIME ? stragglers.at(-1)!.tenantId : null);
  }

  private async finish(run: SyncRun): Promise<Result> {
    await this.runs.finish(run.id, this.clock.now());
    const { seen, corrected, unknown } = (await this.runs.find(run.id))!;
    this.log[corrected + unknown > 0 ? 'warn' : 'info'](
      { seen, corrected, unknown },
      'compared all subscriptions with the processor',
    );
    return ok();
  }

  private async goOn(job: JobRequest): Promise<Result> {
    await this.jobs.enqueueAll([job]);
    return ok();
  }

  private async inEveryTenant<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.unitOfWork.acrossTenants(async () => ok(await work()));
    return (done as { value: T }).value;
  }

  /** Waits as long as the processor wants when it throttles. */
  private async patiently<T extends Reading>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
    for (let time = 0; ; time++) {
      const answer = await ask();
      const wait = answer.ok ? undefined : answer.failure.retryAfter;
      if (wait === undefined || wait > LONGEST_WAIT || time === THROTTLED_TIMES) return answer;
      await pause(wait * 1000);
    }
  }
}
