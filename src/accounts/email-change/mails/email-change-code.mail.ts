import { MailDefinition } from '../../../platform/mail/mail-definition';

/**
 * The email with the code that proves the mailbox of a new address. Its recipient may not know the
 * account, so it contains no text of its user.
 */
export const emailChangeCodeMail = new MailDefinition<{ code: string; at: string; device: string }>({
  template: 'accounts/email-change/mails/email-change-code',
  subject: 'Confirm your new email address',
  sample: { code: '287082', at: '2026-03-01T09:30:00.000Z', device: 'Chrome on Windows' },
});
