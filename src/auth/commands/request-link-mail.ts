import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs';
import { ok, type Result } from '../../platform/result';
import { SendLinkMail } from './send-link-mail';

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
    const mail = new SendLinkMail(email, purpose);
    await this.jobs.later(mail, mail.key); // one statement, its own transaction
    return ok();
  }
}
