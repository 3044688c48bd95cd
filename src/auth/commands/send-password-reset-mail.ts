import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Deferrable } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.contract';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { passwordResetMail } from '../mails/password-reset.mail';

/** Mails a link to choose a new password, if the address has an account; the token is made here, as for the verification mail. */
@Deferrable('send-password-reset-mail')
export class SendPasswordResetMail extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(SendPasswordResetMail)
export class SendPasswordResetMailHandler implements ICommandHandler<SendPasswordResetMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email }: SendPasswordResetMail): Promise<Result> {
    const user = await this.users.findByEmail(email);
    if (!user || user.disabledAt) return ok();
    const token = await this.tokens.issue(user.id, 'password-reset');
    await this.mail.send(user.email, passwordResetMail(user.name, `${this.settings.frontendUrl}/reset-password#token=${token}`));
    return ok();
  }
}
