import { MailDefinition } from '../../platform/mail/mail-definition';

/** The email with a sign-in link. */
export const magicLinkMail = new MailDefinition<{
  /** Undefined for a recipient who has never signed in. */
  name: string | undefined;
  url: string;
}>({
  template: 'auth/mails/magic-link',
  subject: 'Your sign-in link',
  sample: { name: 'Ada Lovelace', url: 'https://example.com/api/v1/auth/magic-link/verify?token=sample' },
  variants: { 'Never signed in': { name: undefined } },
});
