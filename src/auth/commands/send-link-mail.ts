import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, MINUTE } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { causerHashOfRequest } from '../../platform/mail/mail-causer-hash';
import type { Mail } from '../../platform/mail/mail-definition';
import type { MailOutcome } from '../../platform/mail/mailer';
import { undoUnlessSent } from '../../platform/mail/undo-unless-sent';
import { ok, type Result } from '../../platform/result';
import { digestOf } from '../../platform/secret-token';
import { RegistrationRepository, UserRepository, type Registration, type User } from '../../users/users.api';
import { magicLinkMail } from '../mails/magic-link.mail';
import { passwordResetMail } from '../mails/password-reset.mail';
import { verificationMail } from '../mails/verification.mail';
import { accountCookieId } from '../services/account-cookie-id';
import { mailedLinkUrl, notMeUrl, type LinkPurpose } from '../services/mailed-link-urls';
import { OneTimeTokenMailer, type IssueToken } from '../services/one-time-token-mailer';
import { LinkCodes } from '../services/link-codes';

/**
 * Emails a new link to this address, if its account may get one. The token is created by the job,
 * so that an email that was delayed by the mail server contains a link with its full lifetime. If
 * the rate limit of the recipient allows the email within a minute, the job waits; a later email
 * would be of no use, and the recipient has similar emails already. That of a registration is the
 * only one with its link: it waits as long as the registration is kept.
 */
@Job('send-link-mail', 'mail')
export class SendLinkMail extends Command<Result> {
  constructor(
    readonly email: string,
    readonly purpose: LinkPurpose,
    /**
     * The registration to verify; undefined for the only one. If there are several, a link without
     * a registration only proves the mailbox.
     */
    readonly registrationId?: string,
    /** The client or user that causes an email to a new recipient (see mailCauserHash). */
    readonly cause?: string,
    /** Digests of the accounts that know the requesting device. */
    readonly accounts?: readonly string[],
    /** Whether an operator sends it. */
    readonly isByOperator?: boolean,
    /** The hash of the browser in which a code can replace the link, in base64. */
    readonly browserHash?: string,
  ) {
    super();
  }
}

type LinkMailOptions = Partial<Pick<SendLinkMail, 'registrationId' | 'accounts' | 'isByOperator' | 'browserHash'>>;

/**
 * Emails requested by known devices have a rate limit of their own, which strangers cannot use up.
 */
const KNOWN_DEVICE = 'known';
/** How many registrations an email describes, the newest. */
const MAX_DESCRIBED = 3;
/** Emails sent by operators, too. */
const OPERATOR = 'operator';

/**
 * Enqueues a link email in the running transaction. While an email for the same address and purpose
 * waits, a new one of the same client replaces it. Registrations and known devices have separate
 * keys, so that a stranger cannot replace an email that the owner of the account requested.
 */
export const enqueueLinkMail = (
  jobs: Jobs,
  email: string,
  purpose: LinkPurpose,
  { registrationId, accounts, isByOperator, browserHash }: LinkMailOptions = {},
): Promise<void> => {
  const cause = causerHashOfRequest();
  return enqueue(jobs, new SendLinkMail(email, purpose, registrationId, cause, accounts, isByOperator, browserHash));
};

const enqueue = (jobs: Jobs, command: SendLinkMail, delaySeconds = 0): Promise<void> => {
  const { purpose, email, registrationId, accounts = [], isByOperator, browserHash, cause } = command;
  const key = [purpose, email, registrationId, ...accounts, isByOperator && OPERATOR, browserHash, cause]
    .filter(Boolean)
    .join(':');
  return jobs.enqueue(command, key, delaySeconds);
};

const isSentTo = (user: User, purpose: LinkPurpose) =>
  !user.disabledAt && (purpose !== 'verification' || !user.isEmailVerified);

@CommandHandler(SendLinkMail)
export class SendLinkMailHandler implements ICommandHandler<SendLinkMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly registrations: RegistrationRepository,
    private readonly oneTimeTokenMailer: OneTimeTokenMailer,
    private readonly codes: LinkCodes,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute(command: SendLinkMail): Promise<Result> {
    const { email, purpose, registrationId, cause, accounts, isByOperator } = command;
    const user = await this.users.findByEmail(email);
    if (!user || !isSentTo(user, purpose)) return ok();
    const registrations = purpose === 'verification' ? await this.findRegistrations(user.id, registrationId) : [];
    if (!registrations) return ok();
    const isKnownDevice = accounts?.includes(accountCookieId(user.id));
    const recipient = {
      address: user.email,
      purpose,
      about: isByOperator ? OPERATOR : isKnownDevice ? KNOWN_DEVICE : undefined,
      isNew: !user.isEmailVerified,
      cause,
      sender: purpose === 'verification' ? cause : undefined,
    };
    const send = () =>
      this.oneTimeTokenMailer.send(user.id, recipient, (issue) =>
        purpose === 'magic-link'
          ? this.writeSignInLink(user, command, issue)
          : this.write(user, purpose, registrations, issue),
      );
    const sent = await (registrations.length === 1 ? this.recordMailed(registrations[0], send) : send());
    if (sent.outcome === 'postponed' && (registrationId || sent.by !== 'recipient' || sent.seconds <= MINUTE)) {
      await enqueue(this.jobs, command, sent.seconds);
    }
    return ok();
  }

  /**
   * Records that the email of a registration is sent before it is, so that no later registration
   * displaces it in between; afterwards as before if it was not sent.
   */
  private async recordMailed({ id, mailedAt }: Registration, send: () => Promise<MailOutcome>): Promise<MailOutcome> {
    await this.registrations.markMailed(id, this.clock.now());
    return undoUnlessSent(send, () => this.registrations.markMailed(id, mailedAt));
  }

  /**
   * The registrations that a verification email covers. An account that was created before
   * registrations were stored has none.
   * @returns undefined if the registration was discarded while its email waited: a link without it
   * would verify the registrations of others
   */
  private async findRegistrations(
    userId: string,
    registrationId: string | undefined,
  ): Promise<Registration[] | undefined> {
    const registrations = await this.registrations.listByUser(userId);
    if (registrationId === undefined) return registrations;
    const registration = registrations.find(({ id }) => id === registrationId);
    return registration && [registration];
  }

  private async writeSignInLink(user: User, { browserHash }: SendLinkMail, issue: IssueToken): Promise<Mail> {
    const token = await issue('magic-link', { browserHash: browserHash ? Buffer.from(browserHash, 'base64') : null });
    return magicLinkMail.with({
      name: user.isEmailVerified ? user.name : undefined,
      url: mailedLinkUrl(this.settings, 'magic-link', token),
      code: browserHash ? this.codes.of(digestOf(token)) : undefined,
    });
  }

  private async write(
    user: User,
    purpose: Exclude<LinkPurpose, 'magic-link'>,
    registrations: readonly Registration[],
    issue: IssueToken,
  ): Promise<Mail> {
    const url = async (registrationId?: string) =>
      mailedLinkUrl(this.settings, purpose, await issue(purpose, { registrationId }));
    if (purpose !== 'verification') {
      const name = user.isEmailVerified ? user.name : undefined;
      return passwordResetMail.with({ name, url: await url() });
    }
    const id = registrations.length === 1 ? registrations[0].id : undefined;
    return verificationMail.with({
      registrations: registrations.slice(0, MAX_DESCRIBED),
      url: await url(id),
      secondaryUrl: notMeUrl(this.settings, await issue('disowning', { registrationId: id })),
    });
  }
}
