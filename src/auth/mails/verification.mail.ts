import { letter, type Letter } from '../../platform/letter';

/** What a verification mail is about: when and with what the account was made, so that its reader can tell whether it was them. */
export interface RegistrationFacts {
  readonly createdAt: Date;
  readonly device: string;
}

/**
 * Asks a new person to prove that the address is theirs. It carries nothing that whoever registered has typed.
 * @param about the registrations that the link is for; with several, it activates the password of none
 */
export function verificationMail(url: string, about: readonly RegistrationFacts[], notMeUrl?: string): Letter {
  const made = about.map(({ createdAt, device }) => `The account was created on ${dateOf(createdAt)} with ${device}.`);
  return letter({
    subject: 'Verify your email address',
    greeting: 'Hello,',
    paragraphs: [
      'an account was created with your email address. Please confirm that the address is yours and that the account was created by you. You are signed in right after.',
      ...(about.length > 1 ? [SEVERAL] : made),
    ],
    action: { label: 'Verify email address', url },
    ...(notMeUrl ? { alternative: { label: 'This was not me: delete the account', url: notMeUrl } } : {}),
    footnote: 'The link works once, for 24 hours. If you did not sign up, do not open it. An account that nobody confirms is deleted after 7 days.',
  });
}

const SEVERAL = 'Your address was registered more than once, so you choose a new password then.';

const dateOf = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
