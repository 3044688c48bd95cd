import { MailDefinition } from '../../platform/mail/mail-definition';

/**
 * The invitation email for an address that has never signed in. It contains nothing that the sender
 * could have chosen (docs/contract.md, Email limits).
 */
export const newcomerInvitationMail = new MailDefinition<{ url: string }>({
  template: 'tenants/mails/newcomer-invitation',
  subject: 'You are invited to a workspace',
  sample: { url: 'https://example.com/invitation#token=sample' },
});
