import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { KnownDevices } from '../services/known-devices';
import { mailLink } from './send-link-mail';

/**
 * Has a link sent; does the same for an address that nobody has, so that neither the answer nor its
 * time tells. Whether the device is known to the account is for the job to find out.
 */
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
  constructor(
    private readonly jobs: Jobs,
    private readonly devices: KnownDevices,
  ) {}

  async execute({ email, purpose }: RequestLinkMail): Promise<Result> {
    // one statement, its own transaction
    await mailLink(this.jobs, email, purpose, { accounts: this.devices.accounts() });
    return ok();
  }
}
