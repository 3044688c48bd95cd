/** How a second factor was proven. */
export const FACTOR_METHODS = ['totp', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

/** What proves a second factor: the code of an authenticator app, or a recovery code. */
export type FactorProof =
  | { readonly code: string; readonly recoveryCode?: undefined }
  | { readonly code?: undefined; readonly recoveryCode: string };
