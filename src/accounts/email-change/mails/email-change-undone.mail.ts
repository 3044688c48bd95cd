import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { Job } from '../../../platform/jobs/jobs';
import { MailDefinition } from '../../../platform/mail/mail-definition';
import { Mailer } from '../../../platform/mail/mailer';
import { ok, type Result } from '../../../platform/result';

/**
 * The email to the address that an account lost when a change was undone. It may be that of a
 * thief, so it contains no name.
 */
export const emailChangeUndoneMail = new MailDefinition<{ url: string }>({
  template: 'accounts/email-change/mails/email-change-undone',
  subject: 'The change of your email address was undone',
  sample: { url: 'https://example.com/login' },
});

/** Emails an address that it is no longer that of an account. */
@Job('send-email-change-undone-mail', 'mail')
export class SendEmailChangeUndoneMail extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(SendEmailChangeUndoneMail)
export class SendEmailChangeUndoneMailHandler implements ICommandHandler<SendEmailChangeUndoneMail> {
  constructor(
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email }: SendEmailChangeUndoneMail): Promise<Result> {
    const recipient = { address: email, purpose: 'email-change-undone', isNew: false };
    await this.mailer.send(recipient, () => emailChangeUndoneMail.with({ url: `${this.settings.frontendUrl}/login` }));
    return ok();
  }
}
