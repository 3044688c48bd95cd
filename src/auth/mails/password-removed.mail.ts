import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Job } from '../../platform/jobs/jobs';
import { MailDefinition } from '../../platform/mail/mail-definition';
import { Mailer } from '../../platform/mail/mailer';
import { ok, type Result } from '../../platform/result';

/**
 * The email about a password that was set before the mailbox was proven. It contains no name,
 * because a stranger may have chosen it.
 */
export const passwordRemovedMail = new MailDefinition<{ url: string }>({
  template: 'auth/mails/password-removed',
  subject: 'Your password was removed',
  sample: { url: 'https://example.com/forgot-password' },
});

/** Emails the owner of a mailbox that a password was removed that was set before they proved it. */
@Job('send-password-removed-mail', 'mail')
export class SendPasswordRemovedMail extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(SendPasswordRemovedMail)
export class SendPasswordRemovedMailHandler implements ICommandHandler<SendPasswordRemovedMail> {
  constructor(
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email }: SendPasswordRemovedMail): Promise<Result> {
    const recipient = { address: email, purpose: 'password-removed', isNew: false };
    await this.mailer.send(recipient, () =>
      passwordRemovedMail.with({ url: `${this.settings.frontendUrl}/forgot-password` }),
    );
    return ok();
  }
}
