import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Deferrable } from '../../platform/jobs';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.contract';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { verificationMail } from '../mails/verification.mail';

/**
 * Mails a fresh verification link to this address, if it belongs to an unverified account. The token is made here and not by the one who asks,
 * so that no secret lies in the queue, and a mail that waited for its server carries a link that still lives for its whole 24 hours.
 */
@Deferrable('send-verification-mail')
export class SendVerificationMail extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(SendVerificationMail)
export class SendVerificationMailHandler implements ICommandHandler<SendVerificationMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email }: SendVerificationMail): Promise<Result> {
    const user = await this.users.findByEmail(email);
    if (!user || user.isEmailVerified) return ok();
    const token = await this.tokens.issue(user.id, 'verification');
    await this.mail.send(user.email, verificationMail(user.name, `${this.settings.baseUrl}/api/v1/auth/verify-email?token=${token}`));
    return ok();
  }
}
