import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { UserLinkSent } from '../domain/operator-events';
import { AuthFailures } from '../auth.failures';
import { enqueueLinkMail } from './send-link-mail';

/** The links that an admin can send to a user. */
export type UserLink = 'password-reset' | 'verification';

/**
 * Enqueues an email with a link to a user, on behalf of an admin; the link itself is only in the
 * email. NOT_FOUND; CONFLICT for a disabled account, and for the verification of a verified one;
 * FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class SendUserLink extends Command<Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    readonly link: UserLink,
  ) {
    super();
  }
}

@CommandHandler(SendUserLink)
export class SendUserLinkHandler implements ICommandHandler<SendUserLink> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, userId, link }: SendUserLink) {
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.notFound);
      if (user.disabledAt) return err(AuthFailures.cannotMailDisabled);
      if (link === 'verification' && user.isEmailVerified) return err(AuthFailures.alreadyVerified);
      await enqueueLinkMail(this.jobs, user.email, link, { isByOperator: true });
      await this.events.publish(new UserLinkSent(actor, userId, link));
      return ok();
    });
  }
}
