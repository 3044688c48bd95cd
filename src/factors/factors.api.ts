/** What other modules may use of this one. */
export { FACTOR_METHODS, type FactorMethod, type FactorProof } from './domain/factor-proof';
export {
  RecoveryCodesCreated,
  RecoveryCodeUsed,
  SecondFactorAdded,
  SecondFactorRemoved,
  type FactorActor,
} from './factors.events';
export { FactorFailures } from './factors.failures';
export { OptionalDigitCodeField } from './http/factor-code.decorators';
export { FactorProofBody, factorProofOf } from './http/factor-proof.body';
export { SecondFactorVerifier } from './services/second-factor-verifier';
