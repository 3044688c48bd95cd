import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { SyncStarted } from '../../billing.events';
import { BillingFailures } from '../../billing.failures';
import { SyncRunRepository } from '../data/sync-run.repository';
import { StripeClient } from '../../stripe/stripe-client';
import { SYNC_KEY, syncAllSubscriptionsJob } from './sync-all-subscriptions';

/**
 * Starts a sync of all subscriptions with Stripe, or continues an unfinished run.
 * BILLING_UNAVAILABLE. For an operator also CONFLICT while one is running, and FORBIDDEN if the
 * caller's admin flag was revoked after the token was issued.
 */
@Schedule(({ processor }) => (processor.secretKey ? processor.syncCron : undefined), {
  name: 'sync-subscriptions',
  create: (tick) => new StartSync(null, tick),
})
export class StartSync extends Command<Result<void, 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'FORBIDDEN'>> {
  constructor(
    /** The operator who requested it; null for the schedule. */
    readonly actor: Actor | null,
    /** The scheduled time, which identifies the run: of several instances, one starts it. */
    readonly slot: Date | null = null,
  ) {
    super();
  }
}

@CommandHandler(StartSync)
export class StartSyncHandler implements ICommandHandler<StartSync> {
  constructor(
    private readonly runs: SyncRunRepository,
    private readonly stripeClient: StripeClient,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, slot }: StartSync) {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    return this.unitOfWork.transaction(async () => {
      const allowed = actor ? await this.adminCheck.requireAdmin(actor.userId) : ok();
      if (!allowed.ok) return allowed;
      await this.unitOfWork.lockByName('begin-sync'); // one starts after the other
      // A run is running if it has a job. One whose job has failed, waits for a retry or was
      // deleted does not block a new start.
      if (actor && (await this.jobs.isInProgress(SYNC_KEY))) return err(BillingFailures.syncInProgress);
      const runId = await this.runs.begin(slot, this.clock.now());
      if (!runId) return ok(); // another instance has started it
      await this.jobs.enqueueAll([syncAllSubscriptionsJob(runId)]);
      if (actor) await this.events.publish(new SyncStarted(actor, runId));
      return ok();
    });
  }
}
