import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { MINUTE } from '../../platform/clock';
import { Deferrable, Jobs } from '../../platform/jobs';
import type { Letter } from '../../platform/letter';
import { Mail } from '../../platform/mail';
import { ok, type Result } from '../../platform/result';
import { RegistrationRepository, UserRepository, type User } from '../../users/users.contract';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { Purpose } from '../domain/one-time-token';
import { linkPage } from '../link-page';
import { magicLinkMail } from '../mails/magic-link.mail';
import { passwordResetMail } from '../mails/password-reset.mail';
import { verificationMail } from '../mails/verification.mail';

/** The purposes for which a link can be asked for. */
export type LinkPurpose = Exclude<Purpose, 'disowning' | 'securing'>;

interface LinkMail {
  /** Whether this account gets such a mail. */
  isFor(user: User): boolean;
  url(settings: Settings, token: string): string;
}

/**
 * The links that are mailed: two to the API, which signs in and sends the browser on, or with MAIL_LINKS=confirm to a page of the web client, as the
 * third (contract sections 8 and 11).
 */
const LINKS: Record<LinkPurpose, LinkMail> = {
  verification: {
    isFor: (user) => !user.isEmailVerified && !user.disabledAt,
    url: (settings, token) =>
      settings.mail.links === 'confirm' ? linkPage(settings, 'verification', token) : `${settings.baseUrl}/api/v1/auth/verify-email?token=${token}`,
  },
  'magic-link': {
    isFor: (user) => !user.disabledAt,
    url: (settings, token) =>
      settings.mail.links === 'confirm'
        ? linkPage(settings, 'magic-link', token)
        : `${settings.baseUrl}/api/v1/auth/magic-link/verify?token=${token}`,
  },
  'password-reset': {
    isFor: (user) => !user.disabledAt,
    url: ({ frontendUrl }, token) => `${frontendUrl}/reset-password#token=${token}`,
  },
};

/**
 * Mails a fresh link to this address, if it belongs to an account that gets one. The token is made here and not by the one who asks, so that no
 * secret lies in the queue, and a mail that waited for its server carries a link that still lives for its whole time. When the recipient's limit
 * allows it within a minute it waits; later it would help nobody, and mails of its kind have come.
 */
@Deferrable('send-link-mail', 'mail')
export class SendLinkMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: LinkPurpose,
    /** The registration to be verified; undefined: the newest. */
    readonly registrationId?: string,
  ) {
    super();
  }
}

/**
 * Has a link mailed, soon after the running transaction commits. While a mail of a kind waits for an address, another one replaces it; each registration
 * has a mail of its own.
 */
export const mailLink = (jobs: Jobs, email: string, purpose: LinkPurpose, registrationId?: string, pause = 0): Promise<void> =>
  jobs.later(new SendLinkMail(email, purpose, registrationId), [purpose, email, registrationId].filter(Boolean).join(':'), pause);

/** Makes a token that the mail will carry. */
type Issue = (purpose: Purpose, registrationId?: string) => Promise<string>;

@CommandHandler(SendLinkMail)
export class SendLinkMailHandler implements ICommandHandler<SendLinkMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly tokens: OneTimeTokenRepository,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ email, purpose, registrationId }: SendLinkMail): Promise<Result> {
    const user = await this.users.findByEmail(email);
    const link = LINKS[purpose];
    if (!user || !link.isFor(user)) return ok();
    const recipient = { address: user.email, purpose, isNew: !user.isEmailVerified };
    const tokens: string[] = [];
    const issue: Issue = async (what, registration) => {
      const token = await this.tokens.issue(user.id, what, registration);
      tokens.push(token);
      return token;
    };
    try {
      const sent = await this.mail.send(recipient, () => this.write(user, purpose, registrationId, issue));
      if (sent.outcome === 'postponed' && (sent.by === 'ceiling' || sent.seconds <= MINUTE)) {
        await mailLink(this.jobs, email, purpose, registrationId, sent.seconds);
      }
    } catch (error) {
      for (const token of tokens) await this.tokens.withdraw(token); // attempts that fail must not push out a link that has arrived
      throw error;
    }
    return ok();
  }

  private async write(user: User, purpose: LinkPurpose, registrationId: string | undefined, issue: Issue): Promise<Letter> {
    const url = async (id?: string) => LINKS[purpose].url(this.settings, await issue(purpose, id));
    if (purpose !== 'verification') {
      const name = user.isEmailVerified ? user.name : undefined;
      return (purpose === 'magic-link' ? magicLinkMail : passwordResetMail)(name, await url());
    }
    const registration = registrationId ? await this.registrations.find(registrationId) : await this.registrations.newestOf(user.id);
    if (!registration) return verificationMail(await url());
    const notMe = `${this.settings.frontendUrl}/not-me#token=${await issue('disowning', registration.id)}`;
    return verificationMail(await url(registration.id), registration, notMe);
  }
}
