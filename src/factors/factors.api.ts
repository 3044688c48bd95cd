/** What other modules may use of this one. */
export { ApproveFactorReset } from './commands/approve-factor-reset';
export { CancelFactorReset } from './commands/cancel-factor-reset';
export { RequestFactorReset } from './commands/request-factor-reset';
export { StartPasskeyAssertion } from './commands/start-passkey-assertion';
export { PasskeyRepository } from './data/passkey.repository';
export { FACTOR_METHODS, factorMethods, type FactorMethod, type FactorProof } from './domain/factor-proof';
export { dueAt, FACTOR_RESET_FILTERS, type FactorResetFilter } from './domain/factor-reset';
export type { PasskeyAssertion } from './domain/passkey-response';
export {
  FactorResetRequested,
  PasskeyAdded,
  PasskeyCounterWentBack,
  PasskeyRemoved,
  RecoveryCodesCreated,
  RecoveryCodeUsed,
  SecondFactorAdded,
  SecondFactorBlocked,
  SecondFactorRemoved,
  SecondFactorReset,
  type FactorActor,
} from './factors.events';
export { FactorFailures } from './factors.failures';
export { DigitCodeField, OptionalDigitCodeField } from './http/factor-code.decorators';
export { FactorProofBody, factorProofOf } from './http/factor-proof.body';
export { PasskeyAssertionBody } from './http/passkey-assertion.body';
export { ObjectField } from './http/passkey-field.decorators';
export { FactorResetView } from './http/views/factor-resets.views';
export { PasskeyOptionsView } from './http/views/passkeys.views';
export { ListFactorResets } from './queries/list-factor-resets';
export { FactorResetStop } from './services/factor-reset-stop';
export { PasskeyVerifier, type VerifiedPasskey } from './services/passkey-verifier';
export { ProvingFactors } from './services/proving-factors';
export { RemainingSignInMethods } from './services/remaining-sign-in-methods';
export { SecondFactorVerifier, type FactorFailure } from './services/second-factor-verifier';
export { SecondFactorRemoval } from './services/second-factor-removal';
