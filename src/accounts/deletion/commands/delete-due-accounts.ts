import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addSeconds, Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../../platform/result';
import { AccountErasureRepository } from '../data/account-erasure.repository';
import { PlannedDeletionRepository } from '../data/planned-deletion.repository';
import { SETTLED_SECONDS } from '../domain/account-erasure';
import { completeErasureJob } from './complete-erasure';
import { deleteAccountJob } from './delete-account';

/** Accounts per run; the next run continues. */
const BATCH = 500;

/**
 * Starts the deletion of the accounts that are due, and the rest of erasures that began a day ago.
 * Each is a job of its own, so that one that fails does not hold up the others.
 */
@Job('delete-due-accounts')
@Schedule('*/10 * * * *')
export class DeleteDueAccounts extends Command<Result> {}

@CommandHandler(DeleteDueAccounts)
export class DeleteDueAccountsHandler implements ICommandHandler<DeleteDueAccounts> {
  constructor(
    private readonly plannedDeletions: PlannedDeletionRepository,
    private readonly erasures: AccountErasureRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const now = this.clock.now();
    return this.unitOfWork.transaction(async () => {
      const due = await this.plannedDeletions.listDue(now, BATCH);
      const settled = await this.erasures.listUntil(addSeconds(now, -SETTLED_SECONDS), BATCH);
      await this.jobs.enqueueMissing([...due.map(deleteAccountJob), ...settled.map(completeErasureJob)]);
      return ok();
    });
  }
}
