import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EmailCodes } from '../../../auth/auth.api';
import { MINUTE } from '../../../platform/clock';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { mailCauserHash } from '../../../platform/mail/mail-causer-hash';
import { ok, type Result } from '../../../platform/result';
import { EmailChangeRequestRepository } from '../data/email-change-request.repository';
import { emailChangeCodeMail } from '../mails/email-change-code.mail';

/**
 * Emails the code that proves the mailbox of a new address, unless another address was requested
 * in the meantime.
 */
@Job('send-email-change-code', 'mail')
export class SendEmailChangeCode extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly email: string,
    /** When it was requested (ISO 8601). */
    readonly at: string,
    /** The kind of device that requested it. */
    readonly device: string,
  ) {
    super();
  }
}

/** The key of the job: a code that must wait does not delay that of another address. */
export const codeJobKey = (userId: string, email: string) => `email-change-code:${userId}:${email}`;

@CommandHandler(SendEmailChangeCode)
export class SendEmailChangeCodeHandler implements ICommandHandler<SendEmailChangeCode> {
  constructor(
    private readonly requests: EmailChangeRequestRepository,
    private readonly codes: EmailCodes,
    private readonly jobs: Jobs,
  ) {}

  /** An email that a limit postpones for longer is not sent: it would arrive too late. */
  async execute(command: SendEmailChangeCode): Promise<Result> {
    const { userId, email, at, device } = command;
    if ((await this.requests.find(userId))?.email !== email) return ok();
    // no one has signed in with the address: a verified account would have it
    const sender = mailCauserHash(userId);
    const recipient = { address: email, purpose: 'email-change', isNew: true, cause: sender, sender };
    const sent = await this.codes.mail(recipient, { userId, purpose: 'email-change', address: email }, (code) =>
      emailChangeCodeMail.with({ code, at, device }),
    );
    if (sent.outcome === 'postponed' && sent.seconds <= MINUTE)
      await this.jobs.enqueue(command, codeJobKey(userId, email), sent.seconds);
    return ok();
  }
}
