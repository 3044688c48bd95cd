import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/**
 * The mail about a password that was set before the mailbox was proven. It contains no name,
 * because a stranger may have chosen it.
 */
export function passwordRemovedMail(frontendUrl: string): RenderedMail {
  return renderMail({
    subject: 'Your password was removed',
    greeting: greeting(undefined),
    paragraphs: [
      'You signed in and confirmed that this email address is yours. The account had been created earlier, by ' +
        'you or by someone else, without confirming the address.',
      'To protect you, we removed the password that was set at that time and ended all other sessions.',
    ],
    action: { label: 'Set a new password', url: `${frontendUrl}/forgot-password` },
    footnote:
      'You received this email because the password of your account was removed. You can also sign in without a ' +
      'password, with a link that we email you.',
  });
}
