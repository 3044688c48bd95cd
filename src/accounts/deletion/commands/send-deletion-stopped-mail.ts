import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { Job } from '../../../platform/jobs/jobs';
import { Mailer } from '../../../platform/mail/mailer';
import { ok, type Result } from '../../../platform/result';
import { UserRepository } from '../../../users/users.api';
import { deletionStoppedMail } from '../mails/deletion-stopped.mail';

/** Tells a user that the account is kept, because of workspaces that prevent its deletion. */
@Job('send-deletion-stopped-mail', 'mail')
export class SendDeletionStoppedMail extends Command<Result> {
  constructor(
    readonly userId: string,
    readonly workspaces: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(SendDeletionStoppedMail)
export class SendDeletionStoppedMailHandler implements ICommandHandler<SendDeletionStoppedMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId, workspaces }: SendDeletionStoppedMail): Promise<Result> {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const recipient = { address: user.email, purpose: 'deletion-stopped', isNew: false };
    const url = `${this.settings.frontendUrl}/account`;
    await this.mailer.send(recipient, () => deletionStoppedMail.with({ name: user.name, workspaces, url }));
    return ok();
  }
}
