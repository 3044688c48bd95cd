import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SendSecurityMail } from '../../../auth/auth.api';
import { addSeconds, Clock } from '../../../platform/clock';
import { BatchedPurge } from '../../../platform/jobs/batched-purge';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import type { Result } from '../../../platform/result';
import { PlannedDeletionRepository } from '../data/planned-deletion.repository';
import { REMINDER_SECONDS } from '../domain/deletion-notice';

/** Accounts per run. */
const BATCH = 500;

/**
 * Reminds users three days before their account is deleted, once. Enqueues itself again while there
 * are more.
 */
@Job('remind-of-account-deletions')
@Schedule('23 * * * *')
export class RemindOfAccountDeletions extends Command<Result> {}

@CommandHandler(RemindOfAccountDeletions)
export class RemindOfAccountDeletionsHandler implements ICommandHandler<RemindOfAccountDeletions> {
  constructor(
    private readonly plannedDeletions: PlannedDeletionRepository,
    private readonly batches: BatchedPurge,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    return this.batches.runBatch(BATCH, new RemindOfAccountDeletions(), async (limit) => {
      const users = await this.plannedDeletions.markReminded(addSeconds(now, REMINDER_SECONDS), now, limit);
      await this.jobs.enqueueAll(
        users.map(({ id, deletesAt }) => {
          const facts = { at: now.toISOString(), due: deletesAt!.toISOString() };
          return { command: new SendSecurityMail(id, 'deletion-near', facts) };
        }),
      );
      return users.length;
    });
  }
}
