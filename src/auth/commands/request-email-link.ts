import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { KnownDevices } from '../services/known-devices';
import { enqueueLinkMail } from './send-link-mail';

/**
 * Enqueues an email with a sign-in link or a password reset link. The same work is done for an
 * address without an account, so that neither the response nor its time reveals whether one exists.
 */
export class RequestEmailLink extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: 'password-reset' | 'magic-link',
    /** The hash of the browser in which a code can replace the link. */
    readonly browserHash?: Buffer,
  ) {
    super();
  }
}

@CommandHandler(RequestEmailLink)
export class RequestEmailLinkHandler implements ICommandHandler<RequestEmailLink> {
  constructor(
    private readonly jobs: Jobs,
    private readonly devices: KnownDevices,
  ) {}

  /** One statement, its own transaction. The job checks whether the account knows the device. */
  async execute({ email, purpose, browserHash }: RequestEmailLink): Promise<Result> {
    await enqueueLinkMail(this.jobs, email, purpose, {
      accounts: this.devices.accounts(),
      browserHash: browserHash?.toString('base64'),
    });
    return ok();
  }
}
