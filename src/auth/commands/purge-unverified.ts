import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/**
 * Seconds within which a registration must be verified (docs/contract.md, Registration and
 * verification).
 */
const RETENTION_SECONDS = 7 * DAY;
/** Rows per run: keeps each statement short. */
const BATCH = 1000;

const PURGE_REGISTRATIONS = `
  DELETE FROM registrations WHERE id IN (SELECT id FROM registrations WHERE created_at <= $1 ORDER BY created_at
    LIMIT $2)
  RETURNING id`;

/** Disabled accounts are kept: otherwise their address could be registered again. */
const STALE_ACCOUNTS = `
  SELECT u.id FROM users u
   WHERE NOT u.is_email_verified AND u.disabled_at IS NULL AND u.created_at <= $1
     AND NOT EXISTS (SELECT FROM registrations r WHERE r.user_id = u.id)
   ORDER BY u.id LIMIT $2`;

/**
 * Deletes registrations that were not verified in time, and unverified accounts without
 * registrations, together with their workspaces. Enqueues itself again while there are more.
 */
@Job('purge-unverified')
export class PurgeUnverified extends Command<Result> {}

@CommandHandler(PurgeUnverified)
export class PurgeUnverifiedHandler implements ICommandHandler<PurgeUnverified> {
  constructor(
    private readonly unverifiedAccountDeletion: UnverifiedAccountDeletion,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const before = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.unitOfWork.acrossTenants(async () => {
      const registrations = await this.unitOfWork.query(PURGE_REGISTRATIONS, [before, BATCH]);
      const stale = await this.unitOfWork.query<{ id: string }>(STALE_ACCOUNTS, [before, BATCH]);
      await this.unverifiedAccountDeletion.delete(
        stale.map(({ id }) => id),
        'never-verified',
      );
      if (registrations.length === BATCH || stale.length === BATCH) await this.jobs.enqueue(new PurgeUnverified());
      return ok();
    });
  }
}
