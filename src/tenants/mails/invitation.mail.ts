import { greeting, renderMail, type RenderedMail } from '../../platform/mail/mail-template';

const ACTION_LABEL = 'Accept invitation';
const EXPIRY = 'The link can be used once and expires after 7 days.';
const REASON =
  'You received this email because someone invited this address. If you did not expect it, you can ignore it.';

/**
 * The invitation mail for a user who has signed in before.
 * @param inviter the name of the sender; null if the account was deleted
 */
export function invitationMail(
  content: { tenantName: string; role: string; inviter: string | null; recipient: string | null },
  url: string,
): RenderedMail {
  const { tenantName, role, inviter, recipient } = content;
  return renderMail({
    subject: inviter ? `${inviter} invited you to ${tenantName}` : `You are invited to ${tenantName}`,
    greeting: greeting(recipient ?? undefined),
    paragraphs: [`${inviter ?? 'A former member'} invited you to join ${tenantName} as ${role}.`, EXPIRY],
    action: { label: ACTION_LABEL, url },
    footnote: REASON,
  });
}

/**
 * The invitation mail for an address that has never signed in. It contains nothing that the sender
 * could have chosen (docs/contract.md, Email limits).
 */
export function newcomerInvitationMail(url: string): RenderedMail {
  return renderMail({
    subject: 'You are invited to a workspace',
    greeting: greeting(undefined),
    paragraphs: ['You are invited to join a workspace. Open the link to see the details.', EXPIRY],
    action: { label: ACTION_LABEL, url },
    footnote: REASON,
  });
}
