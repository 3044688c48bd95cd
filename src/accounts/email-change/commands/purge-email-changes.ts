import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../../platform/clock';
import { BatchedPurge } from '../../../platform/jobs/batched-purge';
import { Job } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import type { Result } from '../../../platform/result';
import { EmailChangeRequestRepository } from '../data/email-change-request.repository';
import { EmailChangeRepository } from '../data/email-change.repository';
import { EmailChangeRequest } from '../domain/email-change-request';

/**
 * How long changes are kept that can no longer be undone, so that their links return that they have
 * expired (docs/contract.md, One-time tokens).
 */
const EXPIRED_RETENTION_SECONDS = 30 * DAY;

/**
 * Deletes changes of addresses that can no longer be undone, with the earlier addresses, and
 * requests that no longer count. Enqueues itself again while there are more.
 */
@Job('purge-email-changes')
@Schedule('31 4 * * *')
export class PurgeEmailChanges extends Command<Result> {}

@CommandHandler(PurgeEmailChanges)
export class PurgeEmailChangesHandler implements ICommandHandler<PurgeEmailChanges> {
  constructor(
    private readonly changes: EmailChangeRepository,
    private readonly requests: EmailChangeRequestRepository,
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    const expired = addSeconds(now, -EXPIRED_RETENTION_SECONDS);
    return this.purge.run(
      new PurgeEmailChanges(),
      (limit) => this.changes.purge(expired, limit),
      (limit) => this.requests.purge(EmailChangeRequest.endOfCount(now), limit),
    );
  }
}
