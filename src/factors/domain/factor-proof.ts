import type { PasskeyAssertion } from './passkey-response';

/** How a second factor was proven. The first one is the one to prefer. */
export const FACTOR_METHODS = ['passkey', 'totp', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/**
 * What proves a second factor: the code of an authenticator app, a recovery code, or the signature
 * of a passkey.
 */
export type FactorProof =
  | { readonly method: 'totp'; readonly code: string }
  | { readonly method: 'recovery-code'; readonly recoveryCode: string }
  | { readonly method: 'passkey'; readonly passkey: PasskeyAssertion };

/** @param hasPasskey whether the user has a passkey */
export const factorMethods = (hasPasskey: boolean): readonly FactorMethod[] =>
  FACTOR_METHODS.filter((method) => hasPasskey || method !== 'passkey');
