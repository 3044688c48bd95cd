import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UnverifiedAccountDeletion } from '../services/unverified-account-deletion';

/** Seconds in which a registration must be verified (contract section 11). */
const KEPT_SECONDS = 7 * DAY;
/** Rows per run: small enough for one short statement. */
const BATCH = 1000;

const PURGE_REGISTRATIONS = `
  DELETE FROM registrations WHERE id IN (SELECT id FROM registrations WHERE created_at <= $1 ORDER BY created_at
    LIMIT $2)
  RETURNING id`;

/** A disabled one stays: deleted, its address could be registered anew. */
const STALE = `
  SELECT u.id FROM users u
   WHERE NOT u.is_email_verified AND u.disabled_at IS NULL AND u.created_at <= $1
     AND NOT EXISTS (SELECT FROM registrations r WHERE r.user_id = u.id)
   ORDER BY u.id LIMIT $2`;

/**
 * Removes registrations that nobody has verified in time, and unverified accounts without any, with
 * their workspaces. Repeats itself while there is more.
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
    const before = addSeconds(this.clock.now(), -KEPT_SECONDS);
    return this.unitOfWork.acrossTenants(async () => {
      const registrations = await this.unitOfWork.query(PURGE_REGISTRATIONS, [before, BATCH]);
      const stale = await this.unitOfWork.query<{ id: string }>(STALE, [before, BATCH]);
      await this.unverifiedAccountDeletion.remove(
        stale.map(({ id }) => id),
        'never-verified',
      );
      if (registrations.length === BATCH || stale.length === BATCH) await this.jobs.enqueue(new PurgeUnverified());
      return ok();
    });
  }
}
