import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCESS_TOKEN_SECONDS } from '../../http/access/access-tokens';

/** An access token alone, for a session that keeps its refresh token. */
export class AccessTokenView {
  @ApiProperty({ type: String, description: 'A JWT (RS256); send it as bearer token' }) readonly accessToken: string;
  @ApiProperty({ type: String, enum: ['Bearer'] }) readonly tokenType: string;
  @ApiProperty({ type: 'integer', description: 'Seconds that the access token lives' }) readonly expiresIn: number;

  constructor(accessToken: string) {
    this.accessToken = accessToken;
    this.tokenType = 'Bearer';
    this.expiresIn = ACCESS_TOKEN_SECONDS;
  }
}

/** What every way in gives (contract section 3). The refresh token is also set as a cookie. */
export class TokenPair extends AccessTokenView {
  @ApiPropertyOptional({
    type: String,
    description: 'Opaque; exchange it once for the next pair. With X-Session it is left to the cookie',
  })
  readonly refreshToken: string;

  /** Private, as the next one, so that it is no part of an answer. */
  readonly #userId: string;
  readonly #isNew: boolean;

  /**
   * @param userId whose session it is
   * @param isNew  false where a session goes on
   */
  constructor(accessToken: string, refreshToken: string, userId: string, isNew: boolean) {
    super(accessToken);
    this.refreshToken = refreshToken;
    this.#userId = userId;
    this.#isNew = isNew;
  }

  get userId(): string {
    return this.#userId;
  }

  /** The account that has just signed in; undefined where a session goes on. */
  get signedInId(): string | undefined {
    return this.#isNew ? this.#userId : undefined;
  }
}
