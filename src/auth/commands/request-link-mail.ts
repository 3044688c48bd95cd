import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { mailLink } from './send-link-mail';

/** Has a link sent; does the same for an address that nobody has, so that neither the answer nor its time tells. */
export class RequestLinkMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: 'password-reset' | 'magic-link',
  ) {
    super();
  }
}

@CommandHandler(RequestLinkMail)
export class RequestLinkMailHandler implements ICommandHandler<RequestLinkMail> {
  constructor(private readonly jobs: Jobs) {}

  async execute({ email, purpose }: RequestLinkMail): Promise<Result> {
    await mailLink(this.jobs, email, purpose); // one statement, its own transaction
    return ok();
  }
}
