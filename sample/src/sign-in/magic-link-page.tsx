import { DigitCodeField } from '../form/code-fields';
import { Form } from '../form/form';
import { api } from '../session';
import { EmailLinkPage } from './email-link-page';
import { useReturnPath } from './return-path';
import { useSecondFactorStep } from './sign-in-ticket';

/** Sends a link that signs in without a password, and takes the code of its email instead. */
export const MagicLinkPage = () => (
  <EmailLinkPage
    title="Sign in with an email link"
    text="No password needed. We’ll email you a link that signs you in."
    path="/auth/magic-link/request"
    sent="we sent a sign-in email, which is valid for 10 minutes. Open the link in it, or enter its code here."
  >
    {(email) => <SignInCodeForm email={email} />}
  </EmailLinkPage>
);

/** The API does not say which of these is the reason. */
const WRONG_CODE =
  'This code is incorrect, was already used or has expired. After five wrong codes, resend the email and enter the ' +
  'new one.';

/** Signs in with the code of the email; without a second factor `SignedOut` leads on from here. */
function SignInCodeForm({ email }: { email: string }) {
  const openSecondStep = useSecondFactorStep();
  const returnPath = useReturnPath();
  return (
    <Form
      submit="Sign in"
      send={({ code = '' }) => api.POST('/auth/magic-link/code', { body: { email, code } })}
      onDone={(signIn) => 'secondFactor' in signIn && openSecondStep(signIn, returnPath)}
      fieldErrors={{ EMAIL_CODE_INVALID: { field: 'code', message: WRONG_CODE } }}
    >
      <DigitCodeField />
    </Form>
  );
}
