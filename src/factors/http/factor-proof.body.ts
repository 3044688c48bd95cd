import { optional } from '../../http/validation/optional.decorators';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { FactorProof } from '../domain/factor-proof';
import { OptionalDigitCodeField } from './factor-code.decorators';

/** The fields that prove a second factor: one of them is sent. */
export class FactorProofBody {
  @OptionalDigitCodeField('The current code of the authenticator app')
  code?: string;
  @optional(TokenField(), 'An unused recovery code, in place of the code')
  recoveryCode?: string;
}

/** The proof in a body. VALIDATION_ERROR if none is sent. */
export function factorProofOf({ code, recoveryCode }: FactorProofBody): Result<FactorProof, 'VALIDATION_ERROR'> {
  if (code !== undefined) return ok({ code });
  if (recoveryCode !== undefined) return ok({ recoveryCode });
  return err(invalid({ code: ['or recoveryCode must be sent'] }));
}
