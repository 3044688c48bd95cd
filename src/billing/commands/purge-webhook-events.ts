import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, later } from '../../platform/clock';
import { firstIdAt } from '../../platform/ids';
import { Deferrable, Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import { UnitOfWork } from '../../platform/unit-of-work';

/** The processor itself delivers for 3 days and shows events for 30. */
const KEPT_SECONDS = 90 * DAY;
/** Rows per run: small enough for one short statement. */
const BATCH = 5000;

/** Removes events that were dealt with long ago; those that wait for somebody stay. Repeats itself while there is more. */
@Deferrable('purge-webhook-events')
export class PurgeWebhookEvents extends Command<Result> {}

/** Ids carry the time of receipt. */
const PURGE = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT id FROM webhook_events WHERE status IN ('processed', 'ignored') AND id < $1 ORDER BY id LIMIT $2)
  RETURNING id`;

@CommandHandler(PurgeWebhookEvents)
export class PurgeWebhookEventsHandler implements ICommandHandler<PurgeWebhookEvents> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const before = firstIdAt(later(this.clock.now(), -KEPT_SECONDS));
    return this.unitOfWork.within(EVERY_TENANT, async () => {
      const purged = await this.unitOfWork.query(PURGE, [before, BATCH]);
      if (purged.length === BATCH) await this.jobs.later(new PurgeWebhookEvents());
      return ok();
    });
  }
}
