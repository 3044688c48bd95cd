import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Job, type KeyedJobRequest } from '../../../platform/jobs/jobs';
import { Mailer } from '../../../platform/mail/mailer';
import { ok, type Result } from '../../../platform/result';
import { AccountErasureRepository } from '../data/account-erasure.repository';
import { AddressRemoval } from '../services/address-removal';
import { accountDeletedMail } from '../mails/account-deleted.mail';

/** The last email to a person whose account was deleted. Afterwards the addresses are forgotten. */
@Job('send-account-deleted-mail', 'mail')
export class SendAccountDeletedMail extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The job for it. At most one exists per account. */
export const accountDeletedMailJob = (userId: string): KeyedJobRequest => ({
  command: new SendAccountDeletedMail(userId),
  key: `send-account-deleted-mail:${userId}`,
});

@CommandHandler(SendAccountDeletedMail)
export class SendAccountDeletedMailHandler implements ICommandHandler<SendAccountDeletedMail> {
  constructor(
    private readonly erasures: AccountErasureRepository,
    private readonly mailer: Mailer,
    private readonly addressRemoval: AddressRemoval,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ userId }: SendAccountDeletedMail): Promise<Result> {
    const address = (await this.erasures.find(userId))?.emails[0];
    if (!address) return ok();
    const recipient = { address, purpose: 'account-deleted', isNew: false };
    const url = `${this.settings.frontendUrl}/register`;
    await this.mailer.send(recipient, () => accountDeletedMail.with({ url }), `account-deleted-${userId}`);
    return this.unitOfWork.transaction(async () => {
      const erasure = await this.erasures.lock(userId);
      if (erasure) await this.addressRemoval.remove(erasure);
      return ok();
    });
  }
}
