import { hasPasskeys, type ErrorCode, type Schemas } from '@tenantry/client';
import type { ReactNode } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField, RECOVERY_CODE_ERRORS, RecoveryCodeField } from '../form/code-fields';
import type { FieldOfError } from '../form/form';

type Method = Schemas['TicketView']['methods'][number];

interface SecondFactor {
  readonly title: string;
  readonly text: string;
  readonly submit: string;
  /** The label of the button that chooses it. */
  readonly use: string;
  readonly field?: ReactNode;
  readonly fieldErrors?: Partial<Record<ErrorCode, FieldOfError>>;
}

/** What the second step of a sign-in asks for. */
export const SECOND_FACTORS: Readonly<Record<Method, SecondFactor>> = {
  passkey: {
    title: 'Use your passkey',
    text: 'Confirm that it’s you with your fingerprint, face, screen lock or security key.',
    submit: 'Use passkey',
    use: 'Use your passkey',
  },
  totp: {
    title: 'Enter your code',
    text: 'Open your authenticator app and enter the 6-digit code that it shows for Tenantry.',
    submit: 'Continue',
    use: 'Use your authenticator app',
    field: <DigitCodeField />,
    fieldErrors: DIGIT_CODE_ERRORS,
  },
  'recovery-code': {
    title: 'Enter a recovery code',
    text: 'Enter one of the recovery codes that you saved when you set up your authenticator app. Each works once.',
    submit: 'Continue',
    use: 'Use a recovery code',
    field: <RecoveryCodeField />,
    fieldErrors: RECOVERY_CODE_ERRORS,
  },
};

/** The methods that this page knows and this browser can use, the one to prefer first. */
export function usableFactors(methods: readonly Method[]): readonly Method[] {
  return methods.filter((method) => method in SECOND_FACTORS && (method !== 'passkey' || hasPasskeys()));
}
