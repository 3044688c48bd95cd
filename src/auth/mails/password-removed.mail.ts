import { MailDefinition } from '../../platform/mail/mail-definition';

/**
 * The mail about a password that was set before the mailbox was proven. It contains no name,
 * because a stranger may have chosen it.
 */
export const passwordRemovedMail = new MailDefinition<{ url: string }>({
  template: 'auth/mails/password-removed',
  subject: 'Your password was removed',
  sample: { url: 'https://example.com/forgot-password' },
});
