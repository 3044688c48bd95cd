import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Deferrable } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { UserRepository, type User } from '../../users/users.contract';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { securityMail, type SecurityFacts, type SecurityNotice } from '../mails/security.mail';

/** Tells a person by mail what happened to their account, with a link "This was not me". The token is made here, so that no secret lies in the queue. */
@Deferrable('send-security-mail', 'mail')
export class SendSecurityMail extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly notice: SecurityNotice,
    readonly facts: SecurityFacts,
  ) {
    super();
  }
}

@CommandHandler(SendSecurityMail)
export class SendSecurityMailHandler implements ICommandHandler<SendSecurityMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId, notice, facts }: SendSecurityMail): Promise<Result> {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const recipient = { address: user.email, purpose: `security-${notice}`, about: facts.what, isNew: false };
    await this.mail.send(recipient, async () => securityMail(notice, facts, user.name, await this.link(user, notice)));
    return ok();
  }

  private async link(user: User, notice: SecurityNotice): Promise<{ label: string; url: string }> {
    const { frontendUrl } = this.settings;
    if (notice === 'account-secured') return { label: 'Set a new password', url: `${frontendUrl}/forgot-password` };
    return { label: 'This was not me', url: `${frontendUrl}/secure-account#token=${await this.tokens.issue(user.id, 'securing')}` };
  }
}
