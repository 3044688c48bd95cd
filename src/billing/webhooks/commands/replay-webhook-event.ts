import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLogRepository } from '../../../audit/audit.api';
import type { Actor } from '../../../http/access/actor';
import { isUnavailable } from '../../../platform/database/database-errors';
import { Job, Jobs, type JobRequest } from '../../../platform/jobs/jobs';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { AdminCheck } from '../../../users/users.api';
import { WebhookEventRepository, type Settlement } from '../data/webhook-event.repository';
import type { WebhookEvent } from '../domain/webhook-event';
import { WebhookEventProcessor, IGNORED, type Processed } from '../services/webhook-event-processor';
import { PlanCache } from '../../entitlements/services/plan-cache';
import { eventOf } from '../../stripe/stripe-event';
import { StripeGateway } from '../../stripe/stripe-gateway';
import { syncSubscriptionJob } from '../../sync/commands/sync-subscription';

/** Times that an event is tried before it waits for an operator; the last after about two hours. */
const MAX_ATTEMPTS = 8;
/** Seconds before the second time; each pause after it is twice as long. */
const FIRST_PAUSE = 60;

/**
 * Applies a stored event once more; of one that was applied, the tenant's subscription is read at
 * the processor instead. One that fails again is tried later, the last time left to an operator.
 * NOT_FOUND; FORBIDDEN for who is an admin by an old token only.
 */
@Job('replay-webhook-event', 'processor')
export class ReplayWebhookEvent extends Command<Result> {
  constructor(
    readonly id: string,
    /** The operator who wants it; null: it failed, and it is time to try again. */
    readonly actor: Actor | null,
  ) {
    super();
  }
}

/** The job that tries again after a pause that grows. @param attempts how often it was tried */
export const retryLater = (id: string, attempts: number): JobRequest => ({
  command: new ReplayWebhookEvent(id, null),
  key: `webhook-event:${id}`,
  pause: FIRST_PAUSE * 2 ** (attempts - 1),
});

@CommandHandler(ReplayWebhookEvent)
export class ReplayWebhookEventHandler implements ICommandHandler<ReplayWebhookEvent> {
  constructor(
    private readonly inbox: WebhookEventRepository,
    private readonly webhookEventProcessor: WebhookEventProcessor,
    private readonly stripeGateway: StripeGateway,
    private readonly cache: PlanCache,
    private readonly adminCheck: AdminCheck,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ id, actor }: ReplayWebhookEvent): Promise<Result> {
    const allowed = await this.unitOfWork.acrossTenants(() =>
      actor ? this.writeDown(id, actor) : Promise.resolve(ok()),
    );
    if (!allowed.ok) return allowed;
    try {
      return await this.replay(id, actor !== null);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return this.keepFailed(id, error as Error);
    }
  }

  private async writeDown(id: string, actor: Actor): Promise<Result> {
    const allowed = await this.adminCheck.requireAdmin(actor.userId);
    if (!allowed.ok) return allowed;
    const event = await this.inbox.lock(id);
    if (!event) return err(PlatformFailures.notFound);
    const target = { type: 'webhook-event', id };
    await this.auditLogRepository.append([
      {
        action: 'webhook-event.replayed',
        by: actor,
        tenantId: event.tenantId,
        target,
        data: { eventId: event.eventId },
      },
    ]);
    return ok();
  }

  private async replay(id: string, isWanted: boolean): Promise<Result> {
    let processed: Processed | undefined;
    const replayed = await this.unitOfWork.acrossTenants(async () => {
      processed = undefined; // of an attempt that was rolled back
      const event = await this.inbox.lock(id);
      if (!event || (!isWanted && event.status !== 'failed')) return ok();
      processed = await this.apply(event);
      await this.inbox.settle(id, processed, 1);
      return ok();
    });
    if (processed?.subscription) await this.cache.put(processed.subscription.tenantId, processed.subscription);
    return replayed;
  }

  /** One that was applied has nothing new to say; how things are now is asked for instead. */
  private async apply({ payload, status, tenantId, error }: WebhookEvent): Promise<Processed> {
    if (status === 'processed' && tenantId) {
      if (this.stripeGateway.isSetUp) await this.jobs.enqueueAll([syncSubscriptionJob(tenantId)]);
      return { status, tenantId, error };
    }
    const event = eventOf(payload);
    if (!event) return { status, tenantId, error }; // its payload could not be kept
    const effect = this.webhookEventProcessor.effectOf(event);
    return effect ? this.webhookEventProcessor.apply(event, effect) : IGNORED;
  }

  private keepFailed(id: string, { message }: Error): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      const attempts = ((await this.inbox.lock(id))?.attempts ?? 0) + 1;
      const isLast = attempts >= MAX_ATTEMPTS;
      const settlement: Settlement = { status: isLast ? 'needs-attention' : 'failed', tenantId: null, error: message };
      await this.inbox.settle(id, settlement, 1);
      if (!isLast) await this.jobs.enqueueAll([retryLater(id, attempts)]);
      return ok();
    });
  }
}
