import { MailDefinition } from '../../platform/mail/mail-definition';

/** The email with a sign-in link. */
export const magicLinkMail = new MailDefinition<{
  /** Undefined for a recipient who has never signed in. */
  name: string | undefined;
  url: string;
  /** A code for the browser that asked; undefined if no browser did. */
  code: string | undefined;
}>({
  template: 'auth/mails/magic-link',
  subject: 'Your sign-in link',
  sample: {
    name: 'Ada Lovelace',
    url: 'https://example.com/api/v1/auth/magic-link/verify?token=sample',
    code: '287082',
  },
  variants: { 'Never signed in': { name: undefined, code: undefined } },
});
