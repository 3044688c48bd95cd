import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';

/** Shown when the page of a link was reloaded: its token is not kept anywhere. */
export const ReopenLink = () => (
  <AuthLayout
    title="Open the link again"
    text="For security, the link isn’t kept when you reload the page. Open it from the email again."
  >
    <ButtonLink to="/">Back to sign in</ButtonLink>
  </AuthLayout>
);
