import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../../platform/clock';
import { firstIdAt } from '../../../platform/ids';
import { BatchedPurge } from '../../../platform/jobs/batched-purge';
import { Job } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { WebhookEventRepository } from '../data/webhook-event.repository';
import type { Result } from '../../../platform/result';

/** Stripe retries deliveries for 3 days and shows events for 30. */
const RETENTION_SECONDS = 90 * DAY;
/** Operators have a day to review events that name no tenant. */
const FOREIGN_SECONDS = DAY;

/**
 * Deletes old processed and ignored events, and ignores those that name no tenant, for example of
 * another product that uses the same Stripe account. Others that need attention stay. Repeats
 * itself while there are more.
 */
@Job('purge-webhook-events')
@Schedule('7 4 * * *')
export class PurgeWebhookEvents extends Command<Result> {}

@CommandHandler(PurgeWebhookEvents)
export class PurgeWebhookEventsHandler implements ICommandHandler<PurgeWebhookEvents> {
  constructor(
    private readonly webhookEvents: WebhookEventRepository,
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  /** Ids contain the time of receipt. */
  execute() {
    const now = this.clock.now();
    const ended = {
      table: 'webhook_events',
      key: ['id'],
      by: 'id',
      until: firstIdAt(addSeconds(now, -RETENTION_SECONDS)),
      where: `status IN ('processed', 'ignored')`,
    };
    const foreignUntil = firstIdAt(addSeconds(now, -FOREIGN_SECONDS));
    return this.purge.run(new PurgeWebhookEvents(), ended, (limit) =>
      this.webhookEvents.ignoreForeign(foreignUntil, limit),
    );
  }
}
