import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { InvitationRepository } from '../data/invitation.repository';

/** Rows per run, so that one statement stays short. */
const BATCH = 5000;
/** Seconds for which an expired invitation stays listed, so that it can be resent. */
const RETENTION_SECONDS = 30 * DAY;

/**
 * Removes invitations of all tenants that expired long ago, and the counts of past days that no
 * limit uses. Enqueues itself again while there is more.
 */
@Job('purge-invitations')
@Schedule('41 3 * * *')
export class PurgeInvitations extends Command<Result> {}

@CommandHandler(PurgeInvitations)
export class PurgeInvitationsHandler implements ICommandHandler<PurgeInvitations> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    return this.unitOfWork.acrossTenants(async () => {
      const purged = await this.invitations.purge(addSeconds(this.clock.now(), -RETENTION_SECONDS), BATCH);
      const counts = await this.unitOfWork.query(PURGE_COUNTS, [addSeconds(this.clock.now(), -DAY), BATCH]);
      if (purged === BATCH || counts.length === BATCH) await this.jobs.enqueue(new PurgeInvitations());
      return ok();
    });
  }
}

const PURGE_COUNTS = `
  DELETE FROM inviter_quotas WHERE user_id IN (
    SELECT user_id FROM inviter_quotas WHERE window_started_at <= $1 ORDER BY window_started_at LIMIT $2)
  RETURNING user_id`;
