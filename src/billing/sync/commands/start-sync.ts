import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLogRepository } from '../../../audit/audit.api';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { Jobs } from '../../../platform/jobs/jobs';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { BillingFailures } from '../../billing.failures';
import { SyncRunRepository } from '../data/sync-run.repository';
import { StripeGateway } from '../../stripe/stripe-gateway';
import { SYNC_KEY, syncSubscriptionsJob } from './sync-subscriptions';

/**
 * Begins a comparison of everything with the processor; a run that did not get to its end goes on
 * instead. BILLING_UNAVAILABLE; for an operator also CONFLICT while one is under way, and FORBIDDEN
 * for who is an admin by an old token only.
 */
export class StartSync extends Command<Result> {
  constructor(
    /** The operator who wants it; null: it is time. */
    readonly actor: Actor | null,
    /**
     * Where it is time, the moment that names the run: of many instances that say the same, one
     * begins it.
     */
    readonly slot: Date | null = null,
  ) {
    super();
  }
}

@CommandHandler(StartSync)
export class StartSyncHandler implements ICommandHandler<StartSync> {
  constructor(
    private readonly runs: SyncRunRepository,
    private readonly stripeGateway: StripeGateway,
    private readonly adminCheck: AdminCheck,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, slot }: StartSync): Promise<Result> {
    if (!this.stripeGateway.isSetUp) return err(BillingFailures.unavailable);
    return this.unitOfWork.transaction(async () => {
      const allowed = actor ? await this.adminCheck.requireAdmin(actor.userId) : ok();
      if (!allowed.ok) return allowed;
      await this.runs.takeTurn();
      // What goes on is what has a job: a run whose job is dead, waits after a failure, or was
      // taken out of the queue keeps nobody waiting.
      if (actor && (await this.jobs.isUnderWay(SYNC_KEY))) return err(BillingFailures.syncUnderWay);
      const runId = await this.runs.begin(slot, this.clock.now());
      if (!runId) return ok(); // another instance has begun it
      await this.jobs.enqueueAll([syncSubscriptionsJob(runId)]);
      if (actor)
        await this.auditLogRepository.append([
          { action: 'sync.begun', by: actor, tenantId: null, target: { type: 'sync-run', id: runId }, data: {} },
        ]);
      return ok();
    });
  }
}
