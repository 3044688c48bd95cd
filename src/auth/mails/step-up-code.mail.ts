import { MailDefinition } from '../../platform/mail/mail-definition';

/** The email with a code that proves the identity of a signed-in user. */
export const stepUpCodeMail = new MailDefinition<{ name: string; code: string }>({
  template: 'auth/mails/step-up-code',
  subject: 'Your confirmation code',
  sample: { name: 'Ada Lovelace', code: '287082' },
});
