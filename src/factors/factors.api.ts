/** What other modules may use of this one. */
export { ApproveFactorReset } from './commands/approve-factor-reset';
export { CancelFactorReset } from './commands/cancel-factor-reset';
export { RequestFactorReset } from './commands/request-factor-reset';
export { FACTOR_METHODS, type FactorMethod, type FactorProof } from './domain/factor-proof';
export { dueAt, FACTOR_RESET_FILTERS, type FactorResetFilter } from './domain/factor-reset';
export {
  FactorResetRequested,
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
export { FactorResetView } from './http/views/factor-resets.views';
export { ListFactorResets } from './queries/list-factor-resets';
export { FactorResetStop } from './services/factor-reset-stop';
export { SecondFactorVerifier } from './services/second-factor-verifier';
export { SecondFactorRemoval } from './services/second-factor-removal';
