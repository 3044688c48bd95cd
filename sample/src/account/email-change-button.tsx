import { Button } from '@mui/material';
import { useState } from 'react';
import { DigitCodeField } from '../form/code-fields';
import { Field } from '../form/field';
import { FormDialog } from '../form/form-dialog';
import { ResendCode } from '../form/resend-code';
import { useToast } from '../layout/toasts';
import { api } from '../session';

const TAKEN = 'Another account uses this address.';
const TOO_OFTEN = 'You’ve changed your address five times in the last three days. Try again later.';

/**
 * Changes the address of the account: first the new address, then the code that is emailed to it.
 */
export function EmailChangeButton() {
  const showToast = useToast();
  const [step, setStep] = useState<'closed' | 'address' | { readonly email: string }>('closed');
  const close = () => setStep('closed');
  const request = (email: string) => api.POST('/users/me/email', { body: { email } });
  const finish = ({ email }: { email: string }) => {
    void api.session.renew(); // the access token still has the earlier address
    showToast(`Your email address is now ${email}. Other devices have been signed out.`);
  };
  return (
    <>
      <Button size="small" color="inherit" aria-label="Change email address" onClick={() => setStep('address')}>
        Change
      </Button>
      {typeof step === 'string' ? (
        <FormDialog
          key="address"
          isOpen={step === 'address'}
          close={close}
          title="Change your email address"
          text={
            'We’ll email a code to the new address. Your current one gets a link that can undo the change for 72 ' +
            'hours. You’ll be signed out on all other devices.'
          }
          submit="Send code"
          send={({ email = '' }) => request(email)}
          onDone={(_, { email }) => setStep({ email })}
          fieldErrors={{
            EMAIL_TAKEN: { field: 'email', message: TAKEN },
            LIMIT_REACHED: { field: 'email', message: TOO_OFTEN },
          }}
        >
          <Field
            name="email"
            label="New email address"
            type="email"
            autoComplete="email"
            autoFocus
            emptyMessage="Enter your new email address."
          />
        </FormDialog>
      ) : (
        <FormDialog
          key="code"
          isOpen
          close={close}
          title="Confirm your new email address"
          text={`We sent a code to ${step.email}. It’s valid for 10 minutes.`}
          submit="Change email address"
          send={({ code = '' }) => api.POST('/users/me/email/confirm', { body: { code } })}
          onDone={finish}
          fieldErrors={{ EMAIL_CODE_INVALID: 'code', EMAIL_TAKEN: { field: 'code', message: TAKEN } }}
        >
          <DigitCodeField />
          <ResendCode send={() => request(step.email)} />
        </FormDialog>
      )}
    </>
  );
}
