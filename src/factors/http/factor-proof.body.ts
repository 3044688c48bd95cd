import { optional } from '../../http/validation/optional.decorators';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { FactorProof } from '../domain/factor-proof';
import { OptionalDigitCodeField } from './factor-code.decorators';
import { PasskeyAssertionBody } from './passkey-assertion.body';
import { ObjectField } from './passkey-field.decorators';

/** The fields that prove a second factor: one of them is sent. */
export class FactorProofBody {
  @OptionalDigitCodeField('The current code of the authenticator app')
  code?: string;
  @optional(TokenField(), 'An unused recovery code, in place of the code')
  recoveryCode?: string;
  @optional(ObjectField(PasskeyAssertionBody), 'A passkey, in place of the code: see POST /auth/passkey/options')
  passkey?: PasskeyAssertionBody;
}

/** The proof in a body. VALIDATION_ERROR if none is sent. */
export function factorProofOf({
  code,
  recoveryCode,
  passkey,
}: FactorProofBody): Result<FactorProof, 'VALIDATION_ERROR'> {
  if (code !== undefined) return ok({ method: 'totp', code });
  if (recoveryCode !== undefined) return ok({ method: 'recovery-code', recoveryCode });
  if (passkey !== undefined) return ok({ method: 'passkey', passkey });
  return err(invalid({ code: ['or recoveryCode or passkey must be sent'] }));
}
