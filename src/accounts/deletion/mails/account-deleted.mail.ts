import { MailDefinition } from '../../../platform/mail/mail-definition';

/** It contains no name, which is erased already. */
export const accountDeletedMail = new MailDefinition<{ readonly url: string }>({
  template: 'accounts/deletion/mails/account-deleted',
  subject: 'Your account was deleted',
  sample: { url: 'https://example.com/register' },
});
