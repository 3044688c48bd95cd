import { MailDefinition } from '../../platform/mail/mail-definition';
import { INVITATION_SUBJECT } from './newcomer-invitation.mail';

/**
 * The invitation email for a user who has signed in before. Its subject contains what the sender
 * chose only if they share a tenant (docs/contract.md, Email limits).
 */
export const invitationMail = new MailDefinition<{
  /** The recipient; null if the address has no account. */
  name: string | null;
  /** The name of the sender; null if the account was deleted. */
  inviter: string | null;
  /** Whether the recipient shares a tenant with the sender. */
  isAcquainted: boolean;
  tenantName: string;
  role: string;
  url: string;
}>({
  template: 'tenants/mails/invitation',
  subject: ({ inviter, isAcquainted, tenantName }) =>
    isAcquainted ? `${inviter} invited you to ${tenantName}` : INVITATION_SUBJECT,
  sample: {
    name: 'Ada Lovelace',
    inviter: 'Charles Babbage',
    isAcquainted: true,
    tenantName: 'Analytical Engines',
    role: 'Member',
    url: 'https://example.com/invitation#token=sample',
  },
  variants: { Strangers: { isAcquainted: false }, 'Deleted inviter': { inviter: null, isAcquainted: false } },
});
