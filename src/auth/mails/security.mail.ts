import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/**
 * What happened to an account that its owner should hear of at once (contract section 11, Being
 * told).
 */
export type SecurityNotice =
  | 'new-device'
  | 'password-changed'
  | 'password-reset'
  | 'provider-linked'
  | 'ownership-received'
  | 'token-reuse'
  | 'account-secured';

/** What a notice says besides its kind: words of ours, or names that the reader knows. */
export interface SecurityFacts {
  /** When it happened: ISO 8601. */
  readonly at: string;
  /** The kind of device, such as "Chrome on Windows"; left out where nobody was at one. */
  readonly device?: string;
  /** The provider as people write it, or the workspace. */
  readonly what?: string;
  /**
   * Whether the mail says no name: the account was not verified before, and a stranger may have
   * chosen its name.
   */
  readonly isUnnamed?: boolean;
}

interface Words {
  readonly subject: (facts: SecurityFacts) => string;
  readonly says: (facts: SecurityFacts) => string;
  /** What to do where it is not "nothing, if it was you". */
  readonly rest?: string;
}

const WORDS: Record<SecurityNotice, Words> = {
  'new-device': {
    subject: () => 'New sign-in to your account',
    says: () => 'Somebody signed in to your account with a device that was not used before.',
  },
  'password-changed': {
    subject: () => 'Your password was changed',
    says: () => 'The password of your account was changed. Other devices were signed out.',
  },
  'password-reset': {
    subject: () => 'Your password was reset',
    says: () => 'The password of your account was set with a mailed link. All devices were signed out.',
  },
  'provider-linked': {
    subject: ({ what }) => `${what} was linked to your account`,
    says: ({ what }) =>
      `Somebody signed in with ${what} and your email address. From now on that ${what} account signs in to yours.`,
  },
  'ownership-received': {
    subject: ({ what }) => `You are now the Owner of ${what}`,
    says: ({ what }) =>
      `The ownership of the workspace ${what} was handed to you. You pay for it, and you can delete it.`,
    rest: 'If you did not expect this, ask the person who handed it to you.',
  },
  'token-reuse': {
    subject: () => 'A session of your account was ended',
    says: () =>
      'A sign-in of your account was used from two places. It may have been copied, so that session was ended. Please sign in again.',
  },
  'account-secured': {
    subject: () => 'Your account was secured',
    says: () =>
      'All devices were signed out, the password was removed, and linked sign-in providers were unlinked. Set a new password to go on.',
    rest: 'Nothing else is to be done.',
  },
};

/**
 * A mail about the security of an account.
 * @param link where its button leads: what to do when it was not the reader
 */
export function securityMail(
  notice: SecurityNotice,
  facts: SecurityFacts,
  name: string | undefined,
  link: { label: string; url: string },
): RenderedMail {
  const { subject, says, rest = 'If it was you, there is nothing to do.' } = WORDS[notice];
  const device = facts.device ? `, ${facts.device}` : '';
  return renderMail({
    subject: subject(facts),
    greeting: greeting(name),
    paragraphs: [says(facts), `When: ${facts.at.slice(0, 16).replace('T', ' at ')} UTC${device}.`],
    action: link,
    footnote: `You receive this email because it is about the security of your account. ${rest}`,
  });
}
