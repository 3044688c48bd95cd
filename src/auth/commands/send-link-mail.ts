import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { MINUTE } from '../../platform/clock';
import { Deferrable, Jobs } from '../../platform/jobs';
import type { Letter } from '../../platform/letter';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { UserRepository, type User } from '../../users/users.contract';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { Purpose } from '../domain/one-time-token';
import { magicLinkMail } from '../mails/magic-link.mail';
import { passwordResetMail } from '../mails/password-reset.mail';
import { verificationMail } from '../mails/verification.mail';

interface LinkMail {
  /** Whether this account gets such a mail. */
  isFor(user: User): boolean;
  url(settings: Settings, token: string): string;
  letter(name: string, url: string): Letter;
}

/** The links that are mailed: two to the API, which signs in and sends the browser on, one to a page of the web client (contract section 8). */
const LINKS: Record<Purpose, LinkMail> = {
  verification: {
    isFor: (user) => !user.isEmailVerified,
    url: ({ baseUrl }, token) => `${baseUrl}/api/v1/auth/verify-email?token=${token}`,
    letter: verificationMail,
  },
  'magic-link': {
    isFor: (user) => !user.disabledAt,
    url: ({ baseUrl }, token) => `${baseUrl}/api/v1/auth/magic-link/verify?token=${token}`,
    letter: magicLinkMail,
  },
  'password-reset': {
    isFor: (user) => !user.disabledAt,
    url: ({ frontendUrl }, token) => `${frontendUrl}/reset-password#token=${token}`,
    letter: passwordResetMail,
  },
};

/**
 * Mails a fresh link to this address, if it belongs to an account that gets one. The token is made here and not by the one who asks, so that no
 * secret lies in the queue, and a mail that waited for its server carries a link that still lives for its whole time. When the recipient's limit
 * allows it within a minute it waits; later it would help nobody, and mails of its kind have come.
 */
@Deferrable('send-link-mail')
export class SendLinkMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: Purpose,
  ) {
    super();
  }
}

/** Has a link mailed, soon after the running transaction commits. While a mail of a kind waits for an address, another one replaces it. */
export const mailLink = (jobs: Jobs, email: string, purpose: Purpose, pause = 0): Promise<void> =>
  jobs.later(new SendLinkMail(email, purpose), `${purpose}:${email}`, pause);

@CommandHandler(SendLinkMail)
export class SendLinkMailHandler implements ICommandHandler<SendLinkMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email, purpose }: SendLinkMail): Promise<Result> {
    const user = await this.users.findByEmail(email);
    const link = LINKS[purpose];
    if (!user || !link.isFor(user)) return ok();
    const recipient = { address: user.email, purpose, isNew: !user.isEmailVerified };
    let token: string | undefined;
    try {
      const sent = await this.mail.send(recipient, async () => {
        token = await this.tokens.issue(user.id, purpose);
        return link.letter(user.name, link.url(this.settings, token));
      });
      if (sent.outcome === 'postponed' && (sent.by === 'ceiling' || sent.seconds <= MINUTE)) await mailLink(this.jobs, email, purpose, sent.seconds);
    } catch (error) {
      if (token) await this.tokens.withdraw(token); // attempts that fail must not push out a link that has arrived
      throw error;
    }
    return ok();
  }
}
