import { hasPasskeys, type Schemas } from '@tenantry/client';
import type { Proof } from './proof-field';

type Method = Schemas['StepUpMethodsView']['methods'][number];

const PROOFS: Readonly<Partial<Record<Method, Proof>>> = {
  passkey: 'passkey',
  totp: 'code',
  'recovery-code': 'recoveryCode',
  password: 'password',
};

/** The label of the button that chooses a proof. */
export const USE_PROOF: Readonly<Record<Proof, string>> = {
  passkey: 'Use your passkey',
  code: 'Use your authenticator app',
  recoveryCode: 'Use a recovery code',
  password: 'Use your password',
};

/**
 * The proofs that this browser can give, the one to prefer first. The panel does not offer emailed
 * codes: its operators have something stronger.
 */
export function usableProofs(methods: readonly Method[]): readonly Proof[] {
  const usable = methods.filter((method) => method !== 'passkey' || hasPasskeys());
  return usable.flatMap((method) => PROOFS[method] ?? []);
}
