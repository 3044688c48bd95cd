import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../../platform/clock';
import { firstIdAt } from '../../../platform/ids';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';

/** Stripe retries deliveries for 3 days and shows events for 30. */
const RETENTION_SECONDS = 90 * DAY;
/** Operators have a day to review events that name no tenant. */
const FOREIGN_SECONDS = DAY;
/** Rows per run: small enough for one short statement. */
const BATCH = 5000;

/**
 * Deletes old processed and ignored events, and ignores those that name no tenant, for example of
 * another product that uses the same Stripe account. Others that need attention stay. Repeats
 * itself while there are more.
 */
@Job('purge-webhook-events')
@Schedule('7 4 * * *')
export class PurgeWebhookEvents extends Command<Result> {}

/** Ids contain the time of receipt. */
const PURGE = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT id FROM webhook_events WHERE status IN ('processed', 'ignored') AND id < $1 ORDER BY id LIMIT $2)
  RETURNING id`;

const IGNORE_FOREIGN = `
  UPDATE webhook_events SET status = 'ignored' WHERE id IN (
    SELECT id FROM webhook_events WHERE status = 'needs-attention' AND is_foreign AND id < $1 ORDER BY id LIMIT $2)
  RETURNING id`;

@CommandHandler(PurgeWebhookEvents)
export class PurgeWebhookEventsHandler implements ICommandHandler<PurgeWebhookEvents> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const [before, foreignBefore] = [RETENTION_SECONDS, FOREIGN_SECONDS].map((seconds) =>
      firstIdAt(addSeconds(this.clock.now(), -seconds)),
    );
    return this.unitOfWork.acrossTenants(async () => {
      const ignored = await this.unitOfWork.query(IGNORE_FOREIGN, [foreignBefore, BATCH]);
      const purged = await this.unitOfWork.query(PURGE, [before, BATCH]);
      if (Math.max(ignored.length, purged.length) === BATCH) await this.jobs.enqueue(new PurgeWebhookEvents());
      return ok();
    });
  }
}
