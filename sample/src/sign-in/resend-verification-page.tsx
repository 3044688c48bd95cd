import { EmailLinkPage } from './email-link-page';

/** Sends a new link that confirms an email address. */
export const ResendVerificationPage = () => (
  <EmailLinkPage
    title="Confirm your email"
    text="We’ll send you a new link to confirm your email address."
    path="/auth/resend-verification"
    sent="and it isn’t confirmed yet, we sent a new link."
  />
);
