import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { stepUpCodeMail } from '../mails/step-up-code.mail';
import { EmailCodes } from '../services/email-codes';

/** Emails a user a code that proves their identity. */
@Job('send-step-up-code', 'mail')
export class SendStepUpCode extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(SendStepUpCode)
export class SendStepUpCodeHandler implements ICommandHandler<SendStepUpCode> {
  constructor(
    private readonly users: UserRepository,
    private readonly codes: EmailCodes,
  ) {}

  /** An email that a limit postpones is not sent: the user would no longer wait for it. */
  async execute({ userId }: SendStepUpCode): Promise<Result> {
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const recipient = { address: user.email, purpose: 'step-up-code', isNew: false };
    await this.codes.mail(recipient, { userId, purpose: 'step-up' }, (code) =>
      stepUpCodeMail.with({ name: user.name, code }),
    );
    return ok();
  }
}
