import { MailDefinition } from '../../platform/mail/mail-definition';

/** The email with a password reset link. */
export const passwordResetMail = new MailDefinition<{
  /** Undefined for a recipient who has never signed in. */
  name: string | undefined;
  url: string;
}>({
  template: 'auth/mails/password-reset',
  subject: 'Reset your password',
  sample: { name: 'Ada Lovelace', url: 'https://example.com/reset-password#token=sample' },
  variants: { 'Never signed in': { name: undefined } },
});
