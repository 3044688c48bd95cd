import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { SessionRevoker } from '../../../auth/auth.api';
import type { Actor } from '../../../http/access/actor';
import { addSeconds, Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { isAdmin, UserRepository } from '../../../users/users.api';
import { AccountDeletionRequested } from '../../accounts.events';
import { AccountFailures } from '../../accounts.failures';
import { NOTICE_SECONDS } from '../domain/deletion-notice';
import type { PlannedDeletionView } from '../http/views/deletion.views';
import { HoldingsReader } from '../services/holdings-reader';

/**
 * Plans the deletion of the caller's account in 14 days, and ends all sessions. Asking again keeps
 * the time. ACCOUNT_DELETION_BLOCKED by workspaces of the caller (see HoldingsReader), and by admin
 * access: the erasure would remove where an admin acted from.
 */
export class RequestAccountDeletion extends Command<
  Result<PlannedDeletionView, 'ACCOUNT_DELETION_BLOCKED' | 'UNAUTHENTICATED'>
> {
  constructor(readonly actor: Actor) {
    super();
  }
}

@CommandHandler(RequestAccountDeletion)
export class RequestAccountDeletionHandler implements ICommandHandler<RequestAccountDeletion> {
  constructor(
    private readonly users: UserRepository,
    private readonly holdings: HoldingsReader,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Blockers are checked again when the account is deleted: this check protects nothing. */
  execute({ actor }: RequestAccountDeletion) {
    return this.unitOfWork.acrossTenants(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated); // deleted after the token was issued
      if (isAdmin(user, this.settings.adminEmails)) return err(AccountFailures.adminNotDeletable);
      const { blockers } = await this.holdings.of(user.id);
      if (blockers.length > 0) return err(AccountFailures.deletionBlocked);
      const deletesAt = user.deletesAt ?? addSeconds(this.clock.now(), NOTICE_SECONDS);
      if (user.planDeletion(deletesAt)) {
        await this.users.save(user);
        await this.events.publish(new AccountDeletionRequested(user.id, deletesAt));
      }
      await this.sessionRevoker.revokeAll(user.id, 'deletion-planned');
      return ok({ deletesAt });
    });
  }
}
