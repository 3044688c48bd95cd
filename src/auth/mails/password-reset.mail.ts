import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/**
 * The mail with a password reset link.
 * @param name undefined for a recipient who has never signed in
 */
export function passwordResetMail(name: string | undefined, url: string): RenderedMail {
  return renderMail({
    subject: 'Reset your password',
    greeting: greeting(name),
    paragraphs: [
      'We received a request to reset your password. Resetting it signs you out on all devices.',
      'The link works once and expires in one hour.',
    ],
    action: { label: 'Reset password', url },
    footnote:
      'You received this email because someone requested a password reset for this address. If it was not you, ' +
      'you can ignore this email; your password will not change.',
  });
}
