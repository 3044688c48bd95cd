import { EmailLinkPage } from './email-link-page';

/** Sends a link that signs in without a password. */
export const MagicLinkPage = () => (
  <EmailLinkPage
    title="Sign in with an email link"
    text="No password needed. We’ll email you a link that signs you in."
    path="/auth/magic-link/request"
    sent="we sent a sign-in link. It’s valid for 10 minutes."
  />
);
