import { EmailLinkPage } from './email-link-page';

/** Sends a new link that verifies an email address. */
export const ResendVerificationPage = () => (
  <EmailLinkPage
    title="Verify your email address"
    text="We’ll send you a new link to verify your email address."
    path="/auth/resend-verification"
    sent="and it isn’t verified yet, we sent a new link."
  />
);
