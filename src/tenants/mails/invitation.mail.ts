import { letter, type Letter } from '../../platform/letter';

/** Asks somebody to join a tenant. @param inviter the name of who asks; null when the account is gone */
export function invitationMail(what: { tenantName: string; role: string; inviter: string | null }, url: string): Letter {
  const { tenantName, role, inviter } = what;
  return letter({
    subject: `Join ${tenantName}`,
    greeting: 'Hello,',
    paragraphs: [`${inviter ?? 'Somebody'} invites you to join ${tenantName} as ${role}.`],
    action: { label: 'See the invitation', url },
    footnote: 'The invitation can be accepted once, for 7 days. If you do not know who sent it, you can ignore this mail.',
  });
}
