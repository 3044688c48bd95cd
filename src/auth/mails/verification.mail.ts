import { letter, type Letter } from '../../platform/letter';

/** Asks a new person to prove that the address is theirs. */
export function verificationMail(name: string, url: string): Letter {
  return letter({
    subject: 'Verify your email address',
    greeting: `Hello ${name},`,
    paragraphs: ['welcome! Please confirm that this is your email address. You are signed in right after.'],
    action: { label: 'Verify email address', url },
    footnote: 'The link works once, for 24 hours. If you did not sign up, you can ignore this mail.',
  });
}
