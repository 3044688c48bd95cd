import { EmailLinkPage } from './email-link-page';

/** Sends a link to choose a new password. */
export const ForgotPasswordPage = () => (
  <EmailLinkPage
    title="Reset your password"
    text="Enter your email address. We’ll send you a link to choose a new password."
    path="/auth/password/forgot"
    sent="we sent a link to choose a new password. It’s valid for one hour."
  />
);
