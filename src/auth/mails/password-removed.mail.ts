import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';

/** Tells who has proven a mailbox that the password which somebody had set before is gone. */
export function passwordRemovedMail(frontendUrl: string): RenderedMail {
  return renderMail({
    subject: 'The password of your account was removed',
    greeting: 'Hello,',
    paragraphs: [
      'You have just signed in and so proven that this address is yours. Before, somebody had made an account with it and never proven that; it may have been you or a stranger.',
      'To be safe, we have removed the password that was set then, and ended every session. Your account is yours alone.',
    ],
    action: { label: 'Open', url: frontendUrl },
    footnote: 'If you want a password, ask for a new one where you would sign in ("Forgot your password?").',
  });
}
