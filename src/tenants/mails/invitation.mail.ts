import { renderMail, type RenderedMail } from '../../platform/mail/mail-template';

const FOOTNOTE =
  'The invitation can be accepted once, within 7 days. If you do not know who sent it, you can ignore this email.';
const LABEL = 'View the invitation';

/**
 * Asks a person who has signed in before to join a tenant.
 * @param inviter the name of who asks; null when the account is gone
 */
export function invitationMail(
  what: { tenantName: string; role: string; inviter: string | null },
  url: string,
): RenderedMail {
  const { tenantName, role, inviter } = what;
  return renderMail({
    subject: `Join ${tenantName}`,
    greeting: 'Hello,',
    paragraphs: [`${inviter ?? 'A former member'} invites you to join ${tenantName} as ${role}.`],
    action: { label: LABEL, url },
    footnote: FOOTNOTE,
  });
}

/**
 * Asks an address that nobody has signed in with: says nothing that whoever invites could have
 * chosen (contract section 11, Mail).
 */
export function newcomerInvitationMail(url: string): RenderedMail {
  return renderMail({
    subject: 'You are invited to a workspace',
    greeting: 'Hello,',
    paragraphs: ['You are invited to join a workspace. The invitation page shows which one, and as what.'],
    action: { label: LABEL, url },
    footnote: FOOTNOTE,
  });
}
