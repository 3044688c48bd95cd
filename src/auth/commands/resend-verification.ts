import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import { mailLink } from './send-link-mail';

/**
 * Withdraws the old verification link and has a new one sent. Does the same for an address that nobody has, or that is verified, so that
 * neither the answer nor its time tells; the job then finds nothing to send.
 */
export class ResendVerification extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(ResendVerification)
export class ResendVerificationHandler implements ICommandHandler<ResendVerification> {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ email }: ResendVerification) {
    return this.unitOfWork.run(async () => {
      await this.tokens.withdraw(email, 'verification');
      await mailLink(this.jobs, email, 'verification');
      return ok();
    });
  }
}
