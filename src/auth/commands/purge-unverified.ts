import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RegistrationRepository, UserRepository } from '../../users/users.api';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/**
 * Seconds within which a registration must be verified (docs/contract.md, Registration and
 * verification).
 */
const RETENTION_SECONDS = 7 * DAY;
/** Rows per run: keeps each statement short. */
const BATCH = 1000;

/**
 * Deletes registrations that were not verified in time, and unverified accounts without
 * registrations, together with their workspaces. Enqueues itself again while there are more.
 */
@Job('purge-unverified')
@Schedule('53 3 * * *')
export class PurgeUnverified extends Command<Result> {}

@CommandHandler(PurgeUnverified)
export class PurgeUnverifiedHandler implements ICommandHandler<PurgeUnverified> {
  constructor(
    private readonly registrations: RegistrationRepository,
    private readonly users: UserRepository,
    private readonly unverifiedAccountDeletion: UnverifiedAccountDeletion,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const before = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.unitOfWork.acrossTenants(async () => {
      const registrations = await this.registrations.purge(before, BATCH);
      const stale = await this.users.listUnregistered(before, BATCH);
      await this.unverifiedAccountDeletion.delete(stale, 'never-verified');
      if (registrations === BATCH || stale.length === BATCH) await this.jobs.enqueue(new PurgeUnverified());
      return ok();
    });
  }
}
