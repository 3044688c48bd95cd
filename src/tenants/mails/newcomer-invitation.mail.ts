import { MailDefinition } from '../../platform/mail/mail-definition';

/** The subject of an invitation to somebody who shares no tenant with the sender. */
export const INVITATION_SUBJECT = 'You are invited to a workspace';

/**
 * The invitation email for an address that has never signed in. It contains nothing that the sender
 * could have chosen (docs/contract.md, Email limits).
 */
export const newcomerInvitationMail = new MailDefinition<{ url: string }>({
  template: 'tenants/mails/newcomer-invitation',
  subject: INVITATION_SUBJECT,
  sample: { url: 'https://example.com/invitation#token=sample' },
});
