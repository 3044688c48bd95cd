import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, isAdmin, toUserProfile } from '../../users/users.api';
import { UserImpersonated } from '../domain/operator-events';
import { AuthFailures } from '../auth.failures';
import { SessionRepository } from '../data/session.repository';
import type { ImpersonationView } from '../http/views/token.views';
import { SessionIssuer } from '../services/session-issuer';

/**
 * Lets an admin impersonate a user for 15 minutes. The impersonation is recorded in the audit log,
 * and the user is notified (docs/specification.md, Authentication). NOT_FOUND, also if the user is
 * not a member of the tenant; CANNOT_IMPERSONATE for admins and for the caller; CONFLICT for a
 * disabled account; FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class ImpersonateUser extends Command<
  Result<ImpersonationView, 'CANNOT_IMPERSONATE' | 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND' | 'SESSION_ENDED'>
> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    readonly reason?: string,
    /** The active tenant; undefined for the one that the user had active last. */
    readonly tenantId?: string,
  ) {
    super();
  }
}

@CommandHandler(ImpersonateUser)
export class ImpersonateUserHandler implements ICommandHandler<ImpersonateUser> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly sessions: SessionRepository,
    private readonly issuer: SessionIssuer,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, userId, reason, tenantId }: ImpersonateUser) {
    const { adminEmails } = this.settings;
    if (userId === actor.userId) return err(AuthFailures.cannotImpersonate);
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.sessions.lockImpersonationTarget(userId, tenantId);
      if (!user) return err(PlatformFailures.notFound);
      if (isAdmin(user, adminEmails)) return err(AuthFailures.cannotImpersonate);
      if (user.disabledAt) return err(AuthFailures.cannotImpersonateDisabled);
      await this.events.publish(new UserImpersonated(actor.userId, user, reason || null));
      const issued = await this.issuer.impersonate(user, actor);
      if (!issued) return err(PlatformFailures.sessionEnded);
      return ok({ ...issued, user: toUserProfile(user, adminEmails) });
    });
  }
}
