import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { enqueueLinkMail } from './send-link-mail';

/**
 * Enqueues an email with a new verification link; earlier links stay valid. If the address was
 * registered more than once, the link verifies the address without any of the registrations,
 * because the newest one may be a stranger's. The same work is done for an address that has no
 * account or is verified, so that neither the response nor its time reveals it.
 */
export class ResendVerification extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(ResendVerification)
export class ResendVerificationHandler implements ICommandHandler<ResendVerification> {
  constructor(private readonly jobs: Jobs) {}

  async execute({ email }: ResendVerification): Promise<Result> {
    await enqueueLinkMail(this.jobs, email, 'verification'); // one statement, its own transaction
    return ok();
  }
}
