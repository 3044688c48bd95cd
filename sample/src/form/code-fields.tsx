import type { SxProps } from '@mui/material';
import type { ErrorCode } from '@tenantry/client';
import { Field } from './field';
import type { FieldOfError } from './form';

/** The font of codes and keys. */
export const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace';

/** Far apart, so that it can be compared with the code in the app or in the email. */
const DIGITS: SxProps = {
  '& input': {
    fontFamily: MONOSPACE,
    fontSize: '1.5rem',
    letterSpacing: '0.3em',
    textIndent: '0.3em',
    textAlign: 'center',
  },
};

/** The 6-digit code of an authenticator app or of an email. Spaces in it are allowed. */
export const DigitCodeField = ({
  name = 'code',
  autoFocus = true,
  helperText,
}: {
  readonly name?: 'code' | 'emailCode';
  readonly autoFocus?: boolean;
  readonly helperText?: string;
}) => (
  <Field
    {...{ name, autoFocus, helperText }}
    label="6-digit code"
    autoComplete="one-time-code"
    emptyMessage="Enter the 6-digit code."
    sx={DIGITS}
    slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 12, spellCheck: false } }}
  />
);

/** One of the recovery codes of an account. */
export const RecoveryCodeField = () => (
  <Field
    name="recoveryCode"
    label="Recovery code"
    autoComplete="off"
    emptyMessage="Enter a recovery code."
    autoFocus
    sx={{ '& input': { fontFamily: MONOSPACE } }}
    slotProps={{ htmlInput: { autoCapitalize: 'characters', spellCheck: false } }}
  />
);

type FieldErrors = Partial<Record<ErrorCode, FieldOfError>>;

/** The errors of each field, for the form around it. */
export const DIGIT_CODE_ERRORS: FieldErrors = { SECOND_FACTOR_INVALID: 'code', EMAIL_CODE_INVALID: 'emailCode' };
export const RECOVERY_CODE_ERRORS: FieldErrors = {
  SECOND_FACTOR_INVALID: {
    field: 'recoveryCode',
    message: 'This recovery code is incorrect, or it was already used.',
  },
};
