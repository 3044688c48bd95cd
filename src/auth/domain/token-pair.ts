/** An access token as clients receive it (RFC 6749 section 5.1). */
export interface IssuedAccessToken {
  /** A signed JWT. */
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds until it expires. */
  readonly expiresIn: number;
}

/**
 * The tokens of a session (docs/contract.md, Token pair). The private fields are not part of a
 * response.
 */
export class TokenPair implements IssuedAccessToken {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly #userId: string;
  readonly #isNewSession: boolean;
  readonly #isProven: boolean;

  /**
   * @param userId the owner of the session
   * @param isNewSession false after a refresh
   * @param isProven whether the session began with proof of the mailbox (see Session.isProven)
   */
  constructor(
    { accessToken, tokenType, expiresIn }: IssuedAccessToken,
    readonly refreshToken: string,
    userId: string,
    isNewSession: boolean,
    isProven: boolean,
  ) {
    this.accessToken = accessToken;
    this.tokenType = tokenType;
    this.expiresIn = expiresIn;
    this.#userId = userId;
    this.#isNewSession = isNewSession;
    this.#isProven = isProven;
  }

  get userId(): string {
    return this.#userId;
  }

  /** The user who has just signed in; undefined after a refresh. */
  get signedInUserId(): string | undefined {
    return this.#isNewSession ? this.#userId : undefined;
  }

  get isProven(): boolean {
    return this.#isProven;
  }

  /** The response for a client whose refresh token is only in the cookie. */
  withoutRefreshToken(): IssuedAccessToken {
    return { accessToken: this.accessToken, tokenType: this.tokenType, expiresIn: this.expiresIn };
  }
}
