import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { isUnavailable } from '../../../platform/database/database-errors';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { Job, Jobs, type JobRequest } from '../../../platform/jobs/jobs';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { AdminCheck } from '../../../users/users.api';
import { SyncRequested, WebhookEventReplayed } from '../../billing.events';
import { eventOf } from '../../stripe/stripe-event';
import { WebhookEventRepository } from '../data/webhook-event.repository';
import { WebhookEventProcessor, type ClaimedEvent } from '../services/webhook-event-processor';

/**
 * Applies a stored event again. For an event that was already applied, the tenant's subscription is
 * read from Stripe instead. A failed event is retried later; after the last attempt it waits for an
 * operator. NOT_FOUND; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
@Job('replay-webhook-event')
export class ReplayWebhookEvent extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly id: string,
    /** The operator who requested it; null for the automatic retry of a failed event. */
    readonly actor: Actor | null,
  ) {
    super();
  }
}

/** The job that retries a failed event. @param pause seconds before it runs */
export const replayLaterJob = (id: string, pause: number): JobRequest => ({
  command: new ReplayWebhookEvent(id, null),
  key: `webhook-event:${id}`,
  pause,
});

/** The attempt that is rolled back if it fails. */
interface Attempt {
  number?: number;
}

@CommandHandler(ReplayWebhookEvent)
export class ReplayWebhookEventHandler implements ICommandHandler<ReplayWebhookEvent> {
  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly webhookEventProcessor: WebhookEventProcessor,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ id, actor }: ReplayWebhookEvent) {
    const allowed = await this.unitOfWork.acrossTenants(() =>
      actor ? this.recordReplay(id, actor) : Promise.resolve(ok()),
    );
    if (!allowed.ok) return allowed;
    const attempt: Attempt = {};
    try {
      return await this.webhookEventProcessor.process(() => this.claim(id, actor !== null, attempt));
    } catch (error) {
      if (isUnavailable(error) || !attempt.number) throw error;
      return this.keepFailed(id, attempt.number, error as Error);
    }
  }

  private async recordReplay(id: string, actor: Actor) {
    const allowed = await this.adminCheck.requireAdmin(actor.userId);
    if (!allowed.ok) return allowed;
    const event = await this.webhookEvents.lock(id);
    if (!event) return err(PlatformFailures.notFound);
    await this.events.publish(new WebhookEventReplayed(actor, event));
    return ok();
  }

  private async claim(id: string, isRequested: boolean, attempt: Attempt): Promise<ClaimedEvent | undefined> {
    const row = await this.webhookEvents.lock(id);
    if (!row || (!isRequested && row.status !== 'failed')) return undefined;
    row.retry();
    attempt.number = row.attempts;
    if (row.isProcessed()) await this.events.publish(new SyncRequested(row.tenantId));
    const event = row.isProcessed() ? undefined : eventOf(row.payload);
    const fact = event && this.webhookEventProcessor.factOf(event);
    if (event) return { row, event, match: fact && (await this.webhookEventProcessor.match(event, fact)) };
    await this.webhookEvents.save(row);
    return undefined;
  }

  private keepFailed(id: string, attempt: number, { message }: Error): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      const row = await this.webhookEvents.lock(id);
      if (!row || row.attempts + 1 !== attempt) return ok(); // purged, or another attempt has ended
      row.retry();
      const pause = row.fail(message);
      await this.webhookEvents.save(row);
      if (pause !== undefined) await this.jobs.enqueueAll([replayLaterJob(id, pause)]);
      return ok();
    });
  }
}
