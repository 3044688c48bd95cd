import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/**
 * What a verification mail is about: when and with what the account was made, so that its reader
 * can tell whether it was them.
 */
export interface RegistrationFacts {
  readonly createdAt: Date;
  readonly device: string;
}

/**
 * Asks a new person to prove that the address is theirs. It carries nothing that whoever registered
 * has typed.
 * @param about the registrations that stand; with several, the link activates the password of none
 */
export function verificationMail(url: string, about: readonly RegistrationFacts[], notMeUrl: string): RenderedMail {
  const times = about.map(({ createdAt, device }) => `${dateOf(createdAt)} with ${device}`);
  return renderMail({
    subject: 'Verify your email address',
    greeting: 'Hello,',
    paragraphs: [
      'An account was created with your email address. Please confirm that the address is yours and that the account was created by you. You are signed in right after.',
      ...(times.length > 1
        ? [`It was registered more than once: on ${times.join('; ')}.`, NO_PASSWORD]
        : times.map((time) => `The account was created on ${time}.`)),
    ],
    action: { label: 'Verify email address', url },
    alternative: { label: 'This was not me: delete the account', url: notMeUrl },
    footnote:
      'The link works once, for 24 hours. If you did not sign up, do not use it: choose "This was not me", or do nothing. An account that nobody verifies is deleted after 7 days.',
  });
}

const NO_PASSWORD =
  'The link activates the password of none of them. Choose a new one then: where you are asked for it, in your account, or with "Forgot your password?".';

const dateOf = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
