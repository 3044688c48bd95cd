import { MailDefinition } from '../../platform/mail/mail-definition';

/** The invitation email for a user who has signed in before. */
export const invitationMail = new MailDefinition<{
  /** The recipient; null if the address has no account. */
  name: string | null;
  /** The name of the sender; null if the account was deleted. */
  inviter: string | null;
  tenantName: string;
  role: string;
  url: string;
}>({
  template: 'tenants/mails/invitation',
  subject: ({ inviter, tenantName }) =>
    inviter ? `${inviter} invited you to ${tenantName}` : `You are invited to ${tenantName}`,
  sample: {
    name: 'Ada Lovelace',
    inviter: 'Charles Babbage',
    tenantName: 'Analytical Engines',
    role: 'Member',
    url: 'https://example.com/invitation#token=sample',
  },
  variants: { 'Deleted inviter': { inviter: null } },
});
