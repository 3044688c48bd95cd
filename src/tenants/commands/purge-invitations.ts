import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';
import { InvitationRepository } from '../data/invitation.repository';

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
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const now = this.clock.now();
    return this.purge.run(
      new PurgeInvitations(),
      (limit) => this.invitations.purge(addSeconds(now, -RETENTION_SECONDS), limit),
      { table: 'inviter_quotas', key: ['user_id'], by: 'window_started_at', until: addSeconds(now, -DAY) },
    );
  }
}
