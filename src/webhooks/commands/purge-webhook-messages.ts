import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addSeconds, Clock, DAY } from '../../platform/clock';
import { firstIdAt } from '../../platform/ids';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which messages and deliveries are kept (docs/contract.md, Webhooks of tenants). */
const RETENTION_SECONDS = 30 * DAY;
/** Messages of one transaction, which also deletes up to ten deliveries of each. */
const BATCH = 1000;

/** Removes old messages with their deliveries. Enqueues itself again while there is more. */
@Job('purge-webhook-messages')
@Schedule('41 3 * * *')
export class PurgeWebhookMessages extends Command<Result> {}

@CommandHandler(PurgeWebhookMessages)
export class PurgeWebhookMessagesHandler implements ICommandHandler<PurgeWebhookMessages> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = firstIdAt(addSeconds(this.clock.now(), -RETENTION_SECONDS)); // ids contain the time of creation
    const rows = { table: 'webhook_messages', key: ['tenant_id', 'id'], by: 'id', until };
    return this.purge.runBatch(BATCH, new PurgeWebhookMessages(), rows);
  }
}
