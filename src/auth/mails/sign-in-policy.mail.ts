import { MailDefinition } from '../../platform/mail/mail-definition';

/** The email to a member whose account lacks a second factor that a tenant will ask for. */
export const signInPolicyMail = new MailDefinition<{
  name: string;
  tenantName: string;
  /** From when on the factor is needed (ISO 8601). */
  from: string;
  url: string;
}>({
  template: 'auth/mails/sign-in-policy',
  subject: ({ tenantName }) => `${tenantName} will require a second factor`,
  sample: {
    name: 'Ada Lovelace',
    tenantName: 'Analytical Engines',
    from: '2026-03-01T09:30:00.000Z',
    url: 'https://example.com/account',
  },
});
