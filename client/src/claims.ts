/**
 * The claims of an access token (docs/specification.md, JWT access token claims). They are read but
 * not verified: the service verifies the token.
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
  /** Id of the operator who impersonates this user. */
  readonly impersonator_id?: string;
  readonly iat: number;
  readonly exp: number;
}

/** @returns undefined if the text is not a JWT */
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
