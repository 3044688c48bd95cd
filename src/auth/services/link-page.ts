import type { Settings } from '../../config/settings';

/**
 * The pages of the web client with a button that sends the token of a mailed link (contract section
 * 11, Who set the password).
 */
const PAGES = { verification: 'verify-email', 'magic-link': 'sign-in' } as const;

/** The links that sign in. */
export type SigningInPurpose = keyof typeof PAGES;

/** Where the person is asked before a mailed link signs in. */
export const linkPage = ({ frontendUrl }: Settings, purpose: SigningInPurpose, token: string) =>
  `${frontendUrl}/${PAGES[purpose]}#token=${token}`;
