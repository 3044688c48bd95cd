import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { MINUTE } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import type { RenderedMail } from '../../platform/mail/mail-template';
import { causeOfRequest } from '../../platform/mail/mail-cause';
import { ok, type Result } from '../../platform/result';
import { RegistrationRepository, UserRepository, type Registration, type User } from '../../users/users.api';
import { accountDigest } from '../services/account-digest';
import type { Purpose } from '../domain/one-time-token';
import { linkPage } from '../services/link-page';
import { magicLinkMail } from '../mails/magic-link.mail';
import { passwordResetMail } from '../mails/password-reset.mail';
import { verificationMail } from '../mails/verification.mail';
import { OneTimeTokenMailer, type Issue } from '../services/one-time-token-mailer';

/** The purposes for which a link can be asked for. */
export type LinkPurpose = Exclude<Purpose, 'disowning' | 'securing'>;

interface LinkMail {
  /** Whether this account gets such a mail. */
  isFor(user: User): boolean;
  url(settings: Settings, token: string): string;
}

/**
 * The links that are mailed: two to the API, which signs in and sends the browser on, or with
 * MAIL_LINKS=confirm to a page of the web client, as the third (contract sections 8 and 11).
 */
const LINKS: Record<LinkPurpose, LinkMail> = {
  verification: {
    isFor: (user) => !user.isEmailVerified && !user.disabledAt,
    url: (settings, token) =>
      settings.mail.links === 'confirm'
        ? linkPage(settings, 'verification', token)
        : `${settings.baseUrl}/api/v1/auth/verify-email?token=${token}`,
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
 * Mails a fresh link to this address, if it belongs to an account that gets one. The token is made
 * here and not by the one who asks, so that a mail that waited for its server carries a link that
 * still lives for its whole time. When the recipient's limit allows it within a minute it waits;
 * later it would help nobody, and mails of its kind have come.
 */
@Job('send-link-mail', 'mail')
export class SendLinkMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: LinkPurpose,
    /**
     * The registration to be verified; undefined: the only one, or where there are several none of
     * them, so that the link proves the mailbox alone.
     */
    readonly registrationId?: string,
    /** Whom the mail is put down to where its recipient is new (see mailCause). */
    readonly cause?: string,
    /** Digests of the accounts that the device which asked is known to. */
    readonly accounts?: readonly string[],
  ) {
    super();
  }
}

/**
 * Limits what known devices of the recipient ask for by itself: whatever strangers ask for, they
 * cannot use it up.
 */
const KNOWN = 'known';

/** What a link is for, and who asked. */
type LinkRequest = Pick<SendLinkMail, 'registrationId' | 'accounts'>;

/**
 * Has a link mailed, soon after the running transaction commits. While a mail of a kind waits for
 * an address, another one replaces it; each registration has a mail of its own, and so has each
 * device that is known to some account: a stranger must not replace what its owner asked for.
 */
export const mailLink = (
  jobs: Jobs,
  email: string,
  purpose: LinkPurpose,
  { registrationId, accounts }: LinkRequest = {},
): Promise<void> => enqueue(jobs, new SendLinkMail(email, purpose, registrationId, causeOfRequest(), accounts));

const enqueue = (jobs: Jobs, command: SendLinkMail, pause = 0): Promise<void> => {
  const { purpose, email, registrationId, accounts = [] } = command;
  return jobs.enqueue(command, [purpose, email, registrationId, ...accounts].filter(Boolean).join(':'), pause);
};

@CommandHandler(SendLinkMail)
export class SendLinkMailHandler implements ICommandHandler<SendLinkMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly oneTimeTokenMailer: OneTimeTokenMailer,
    private readonly jobs: Jobs,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute(command: SendLinkMail): Promise<Result> {
    const { email, purpose, registrationId, cause, accounts } = command;
    const user = await this.users.findByEmail(email);
    if (!user || !LINKS[purpose].isFor(user)) return ok();
    const about = purpose === 'verification' ? await this.registrationsToVerify(user.id, registrationId) : [];
    if (!about) return ok();
    const isKnown = accounts?.includes(accountDigest(user.id));
    const recipient = {
      address: user.email,
      purpose,
      about: isKnown ? KNOWN : undefined,
      isNew: !user.isEmailVerified,
      cause,
    };
    const sent = await this.oneTimeTokenMailer.send(user.id, recipient, (issue) =>
      this.write(user, purpose, about, issue),
    );
    if (sent.outcome === 'postponed' && (sent.by !== 'recipient' || sent.seconds <= MINUTE)) {
      await enqueue(this.jobs, command, sent.seconds);
    }
    return ok();
  }

  /**
   * The registrations that a verification mail is about. One that was discarded while its mail
   * waited gets none: the link would be good for those of others.
   * @returns undefined where nothing is to be sent; nothing for an account from before
   * registrations were kept
   */
  private async registrationsToVerify(
    userId: string,
    registrationId: string | undefined,
  ): Promise<Registration[] | undefined> {
    const standing = await this.registrations.standingOf(userId);
    if (registrationId === undefined) return standing;
    const registration = standing.find(({ id }) => id === registrationId);
    return registration && [registration];
  }

  private async write(
    user: User,
    purpose: LinkPurpose,
    about: readonly Registration[],
    issue: Issue,
  ): Promise<RenderedMail> {
    const url = async (registrationId?: string) =>
      LINKS[purpose].url(this.settings, await issue(purpose, registrationId));
    if (purpose !== 'verification') {
      const name = user.isEmailVerified ? user.name : undefined;
      return (purpose === 'magic-link' ? magicLinkMail : passwordResetMail)(name, await url());
    }
    const id = about.length === 1 ? about[0].id : undefined;
    return verificationMail(
      await url(id),
      about,
      `${this.settings.frontendUrl}/not-me#token=${await issue('disowning', id)}`,
    );
  }
}
