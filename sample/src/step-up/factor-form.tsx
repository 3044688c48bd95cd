import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField, RECOVERY_CODE_ERRORS, RecoveryCodeField } from '../form/code-fields';
import { Form } from '../form/form';
import { api } from '../session';
import { OtherWayButton } from './other-way-button';
import type { StepUpFormProps } from './step-up-dialog';

interface FactorFormProps extends StepUpFormProps {
  readonly methods: readonly Schemas['StepUpMethodsView']['methods'][number][];
}

/** Confirms the identity with the authenticator app, or with a recovery code. */
export function FactorForm({ methods, otherWay, ...form }: FactorFormProps) {
  const [isCode, setIsCode] = useState(methods.includes('totp'));
  const hasOther = methods.includes('totp') && methods.includes('recovery-code');
  return (
    <Form
      key={String(isCode)}
      {...form}
      submit="Confirm"
      send={({ code, recoveryCode }) => api.POST('/auth/step-up', { body: { code, recoveryCode } })}
      fieldErrors={isCode ? DIGIT_CODE_ERRORS : RECOVERY_CODE_ERRORS}
    >
      {isCode ? <DigitCodeField helperText="Shown by your authenticator app" /> : <RecoveryCodeField />}
      {hasOther && (
        <OtherWayButton onClick={() => setIsCode(!isCode)}>
          {isCode ? 'Use a recovery code' : 'Use your authenticator app'}
        </OtherWayButton>
      )}
      {otherWay}
    </Form>
  );
}
