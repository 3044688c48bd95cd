import type { Settings } from '../../config/settings';
import type { Purpose } from '../domain/one-time-token';

/** The purposes for which a link can be requested. */
export type LinkPurpose = Exclude<Purpose, 'disowning' | 'securing' | 'factor-keeping'>;

/** The purposes whose link signs the user in. */
export type SignInLinkPurpose = Exclude<LinkPurpose, 'password-reset'>;

/**
 * Pages of the web client with a button that sends the token (docs/contract.md, Registration and
 * verification).
 */
const PAGES: Record<SignInLinkPurpose, string> = { verification: 'verify-email', 'magic-link': 'sign-in' };
/** Routes of the API that sign in and redirect to the web client (docs/contract.md, Emails). */
const ROUTES: Record<SignInLinkPurpose, string> = { verification: 'verify-email', 'magic-link': 'magic-link/verify' };

/** The page of the web client that asks for confirmation before the link signs in. */
export const confirmationPageUrl = ({ frontendUrl }: Settings, purpose: SignInLinkPurpose, token: string) =>
  `${frontendUrl}/${PAGES[purpose]}#token=${token}`;

/** The link in an email. It leads to the API, or with MAIL_LINKS=confirm to the web client. */
export function mailedLinkUrl(settings: Settings, purpose: LinkPurpose, token: string): string {
  if (purpose === 'password-reset') return `${settings.frontendUrl}/reset-password#token=${token}`;
  return settings.mail.links === 'confirm'
    ? confirmationPageUrl(settings, purpose, token)
    : `${settings.baseUrl}/api/v1/auth/${ROUTES[purpose]}?token=${token}`;
}

/** The page of the web client on which a user stops the reset of their second factor. */
export const stopFactorResetUrl = ({ frontendUrl }: Settings, token: string) =>
  `${frontendUrl}/stop-factor-reset#token=${token}`;

/** The page of the web client on which the recipient cancels a registration. */
export const notMeUrl = ({ frontendUrl }: Settings, token: string) => `${frontendUrl}/not-me#token=${token}`;
