import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/** The events about which the owner of an account is mailed (docs/contract.md, Security emails). */
export type SecurityNotice =
  | 'new-device'
  | 'password-changed'
  | 'password-reset'
  | 'provider-linked'
  | 'ownership-received'
  | 'token-reuse'
  | 'account-secured';

/** The content of a notice. It contains only fixed texts and names that the recipient knows. */
export interface SecurityFacts {
  /** When it happened (ISO 8601). */
  readonly at: string;
  /** The kind of device, such as "Chrome on Windows"; undefined without a device. */
  readonly device?: string;
  /** The display name of the provider, or the name of the workspace. */
  readonly what?: string;
  /**
   * Whether the mail contains no name, because the account was not verified before and a stranger
   * may have chosen its name.
   */
  readonly isUnnamed?: boolean;
}

interface NoticeText {
  readonly subject: (facts: SecurityFacts) => string;
  readonly body: (facts: SecurityFacts) => string;
  /** What to do, unless the mail offers "This was not me". */
  readonly advice?: string;
}

const DEFAULT_ADVICE = 'If it was you, you do not need to do anything. If not, choose "This was not me".';

const TEXTS: Record<SecurityNotice, NoticeText> = {
  'new-device': {
    subject: () => 'New sign-in to your account',
    body: () => 'Your account was used to sign in on a new device.',
  },
  'password-changed': {
    subject: () => 'Your password was changed',
    body: () => 'The password of your account was changed. All other devices were signed out.',
  },
  'password-reset': {
    subject: () => 'Your password was reset',
    body: () => 'The password of your account was reset with an emailed link. All devices were signed out.',
  },
  'provider-linked': {
    subject: ({ what }) => `${what} was linked to your account`,
    body: ({ what }) =>
      `Someone signed in with a ${what} account that has your email address. That ${what} account can now sign in ` +
      'to your account.',
  },
  'ownership-received': {
    subject: ({ what }) => `You are now the Owner of ${what}`,
    body: ({ what }) =>
      `The ownership of the workspace ${what} was transferred to you. You can manage its billing and delete it.`,
    advice: 'If you did not expect this, contact the previous owner.',
  },
  'token-reuse': {
    subject: () => 'A session of your account was ended',
    body: () =>
      'A session of your account was used in two places, so it may have been copied. We ended it to protect your ' +
      'account. Sign in again to continue.',
  },
  'account-secured': {
    subject: () => 'Your account was secured',
    body: () =>
      'All devices were signed out, the password was removed, and linked sign-in providers were unlinked. Set a new ' +
      'password to continue.',
    advice: 'You do not need to do anything else.',
  },
};

/**
 * The mail about the security of an account.
 * @param name undefined if the mail must not contain a name
 * @param link the button
 */
export function securityMail(
  notice: SecurityNotice,
  facts: SecurityFacts,
  name: string | undefined,
  link: { label: string; url: string },
): RenderedMail {
  const { subject, body, advice = DEFAULT_ADVICE } = TEXTS[notice];
  const device = facts.device ? `, ${facts.device}` : '';
  return renderMail({
    subject: subject(facts),
    greeting: greeting(name),
    paragraphs: [body(facts), `When: ${facts.at.slice(0, 16).replace('T', ' at ')} UTC${device}.`],
    action: link,
    footnote: `You received this email because it is about the security of your account. ${advice}`,
  });
}
