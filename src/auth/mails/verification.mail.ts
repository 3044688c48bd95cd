import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/** When and with which kind of device an address was registered. */
export interface RegistrationFacts {
  readonly createdAt: Date;
  /** Such as "Chrome on Windows". */
  readonly device: string;
}

const NO_PASSWORD =
  'The link activates none of the passwords that were chosen. You can set a new one when you open the link, ' +
  'in your account, or with "Forgot your password?".';

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

/**
 * The mail with a verification link. It contains no text that was entered at the registration.
 * @param registrations the registrations of the address; if there are several, the link activates
 * the password of none
 * @param notMeUrl the link that cancels the registrations
 */
export function verificationMail(
  url: string,
  registrations: readonly RegistrationFacts[],
  notMeUrl: string,
): RenderedMail {
  const times = registrations.map(({ createdAt, device }) => `${formatTime(createdAt)} with ${device}`);
  return renderMail({
    subject: 'Verify your email address',
    greeting: greeting(undefined),
    paragraphs: [
      'An account was created with your email address. If you created it, verify your address to activate the ' +
        'account and sign in. The link works once and expires in 24 hours.',
      ...(times.length > 1
        ? [`The address was registered more than once: on ${times.join('; ')}.`, NO_PASSWORD]
        : times.map((time) => `The account was created on ${time}.`)),
    ],
    action: { label: 'Verify email address', url },
    alternative: { label: 'This was not me: delete the account', url: notMeUrl },
    footnote:
      'You received this email because someone signed up with this address. If it was not you, choose "This was ' +
      'not me" or ignore this email: unverified accounts are deleted after 7 days.',
  });
}
