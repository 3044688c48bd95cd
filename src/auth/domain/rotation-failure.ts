import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';

/** The state of a refresh token that could not be rotated. */
export interface RefusedToken {
  /** Whether the token was used, or its session revoked. */
  readonly isRevoked: boolean;
  /** Whether the account is disabled. */
  readonly isDisabled: boolean;
}

/**
 * Why a refresh token could not be rotated (docs/specification.md, Refresh token). A token of a
 * disabled account is no sign of theft, so ACCOUNT_DISABLED comes before TOKEN_REUSE_DETECTED.
 * @param token undefined if the token is unknown
 */
export function rotationFailure(token: RefusedToken | undefined) {
  if (!token) return AuthFailures.invalidToken;
  if (token.isDisabled) return UserFailures.accountDisabled;
  return token.isRevoked ? AuthFailures.tokenReused : AuthFailures.tokenExpired;
}
