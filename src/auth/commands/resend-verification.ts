import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { mailLink } from './send-link-mail';

/**
 * Has a new verification link sent; the links that are out stay. Where the address was registered
 * more than once, the link is for none of these registrations: the newest may be a stranger's. Does
 * the same for an address that nobody has, or that is verified, so that neither the answer nor its
 * time tells; the job then finds nothing to send.
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
    await mailLink(this.jobs, email, 'verification'); // one statement, its own transaction
    return ok();
  }
}
