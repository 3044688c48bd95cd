import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Mailer } from '../../../platform/mail/mailer';
import { ok, type Result } from '../../../platform/result';
import { digestOf } from '../../../platform/secret-token';
import { UserRepository } from '../../../users/users.api';
import { EmailChangeRepository } from '../data/email-change.repository';
import { undoUntil, type EmailChange } from '../domain/email-change';
import { emailChangedMail } from '../mails/email-changed.mail';
import { EmailUndoTokens } from '../services/email-undo-tokens';

/** Emails the earlier address of an account that it was changed, with the link that undoes it. */
@Job('send-email-changed-mail', 'mail')
export class SendEmailChangedMail extends Command<Result> {
  constructor(
    readonly changeId: string,
    /** The kind of device that changed it. */
    readonly device: string,
  ) {
    super();
  }
}

@CommandHandler(SendEmailChangedMail)
export class SendEmailChangedMailHandler implements ICommandHandler<SendEmailChangedMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly changes: EmailChangeRepository,
    private readonly undoTokens: EmailUndoTokens,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** No other message tells the owner of the mailbox, so a postponed email is sent later. */
  async execute(command: SendEmailChangedMail): Promise<Result> {
    const change = await this.changes.find(command.changeId);
    const user = change && (await this.users.findById(change.userId));
    if (!user) return ok(); // undone in the meantime
    const recipient = { address: change.oldEmail, purpose: 'email-changed', isNew: false, reader: user };
    const sent = await this.mailer.send(recipient, async () => {
      const url = `${this.settings.frontendUrl}/undo-email-change#token=${await this.openUndo(change)}`;
      return emailChangedMail.with({
        name: user.name,
        at: change.changedAt.toISOString(),
        device: command.device,
        url,
        earlier: [],
      });
    });
    if (sent.outcome === 'postponed') await this.jobs.enqueue(command, undefined, sent.seconds);
    return ok();
  }

  /** An email that was delayed contains a link with its full lifetime. */
  private async openUndo(change: EmailChange): Promise<string> {
    const token = this.undoTokens.of(change);
    await this.unitOfWork.transaction(async () => {
      await this.users.lock(change.userId);
      await this.changes.storeToken(change, digestOf(token));
      await this.changes.extend(change, undoUntil(this.clock.now()));
      return ok();
    });
    return token;
  }
}
