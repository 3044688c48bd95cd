import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { SendPasswordResetMail } from './send-password-reset-mail';

/** Has a reset link sent; does the same for an address that nobody has, so that neither the answer nor its time tells. */
export class RequestPasswordReset extends Command<Result> {
  constructor(readonly email: string) {
    super();
  }
}

@CommandHandler(RequestPasswordReset)
export class RequestPasswordResetHandler implements ICommandHandler<RequestPasswordReset> {
  constructor(private readonly jobs: Jobs) {}

  async execute({ email }: RequestPasswordReset): Promise<Result> {
    await this.jobs.later(new SendPasswordResetMail(email), `password-reset:${email}`); // one statement, its own transaction
    return ok();
  }
}
