import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';
import { RegistrationRepository, UserRepository } from '../../users/users.api';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/**
 * Seconds within which a registration must be verified (docs/contract.md, Registration and
 * verification).
 */
const RETENTION_SECONDS = 7 * DAY;
/** Rows per run: an account is deleted with its workspace, and recorded. */
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
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const before = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.purge.runBatch(
      BATCH,
      new PurgeUnverified(),
      (limit) => this.registrations.purge(before, limit),
      (limit) => this.deleteUnregistered(before, limit),
    );
  }

  private async deleteUnregistered(before: Date, limit: number): Promise<number> {
    const accounts = await this.users.listUnregistered(before, limit);
    await this.unverifiedAccountDeletion.delete(accounts, 'never-verified');
    return accounts.length;
  }
}
