/**
 * What an access token says (specification: JWT access token claims). Read, not verified: that is
 * the service's part.
 */
export interface Claims {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly tenant_id?: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly is_admin: boolean;
  readonly jti: string;
  /** The admin who acts as this person. */
  readonly impersonator_id?: string;
  readonly iat: number;
  readonly exp: number;
}

/** @returns undefined for what is no JWT */
export function claimsOf(accessToken: string): Claims | undefined {
  try {
    const bytes = Uint8Array.from(atob(accessToken.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return undefined;
  }
}
