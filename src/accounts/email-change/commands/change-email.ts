import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuthFailures, EmailCodes, SessionRevoker } from '../../../auth/auth.api';
import { SETTINGS, type Settings } from '../../../config/settings';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { DomainEvents } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { toUserProfile, UserRepository, type UserProfile } from '../../../users/users.api';
import { EmailChanged } from '../../accounts.events';
import { EmailChangeRequestRepository } from '../data/email-change-request.repository';
import { EmailChangeRepository } from '../data/email-change.repository';
import { EmailChange } from '../domain/email-change';
import { EmailClaim } from '../services/email-claim';

/**
 * Changes the address of the caller's account to the requested one, whose mailbox the code proves.
 * The other sessions and all open links end. EMAIL_CODE_INVALID; EMAIL_TAKEN if another account
 * has proven the address since it was requested.
 */
export class ChangeEmail extends Command<
  Result<UserProfile, 'EMAIL_CODE_INVALID' | 'EMAIL_TAKEN' | 'UNAUTHENTICATED'>
> {
  constructor(
    readonly actor: Actor,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeEmail)
export class ChangeEmailHandler implements ICommandHandler<ChangeEmail> {
  constructor(
    private readonly users: UserRepository,
    private readonly requests: EmailChangeRequestRepository,
    private readonly changes: EmailChangeRepository,
    private readonly codes: EmailCodes,
    private readonly emailClaim: EmailClaim,
    private readonly sessionRevoker: SessionRevoker,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The attempt is counted before, so that a refusal does not undo it. */
  async execute({ actor, code }: ChangeEmail) {
    const request = await this.requests.find(actor.userId);
    if (!request) return err(AuthFailures.emailCodeInvalid);
    const checked = await this.codes.check(actor.userId, 'email-change', code, request.email);
    if (!checked.ok) return checked;
    return this.emailClaim.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const isCurrent = (await this.requests.find(user.id))?.email === request.email;
      if (!isCurrent) return err(AuthFailures.emailCodeInvalid); // another address was requested just now
      const consumed = await this.codes.consume(checked.value);
      if (!consumed.ok) return consumed;
      const change = EmailChange.record(user, await this.changes.list(user.id), this.clock.now());
      const claimed = await this.emailClaim.claim(user, request.email);
      if (!claimed.ok) return claimed;
      await this.changes.add(change);
      await this.sessionRevoker.revokeOthers(user.id, actor.tokenId, 'email-changed');
      await this.events.publish(new EmailChanged(actor, user.id, change.id));
      return ok(toUserProfile(user, this.settings.adminEmails, actor.isAdmin));
    });
  }
}
