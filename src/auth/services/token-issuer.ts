import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { ACCESS_TOKEN_SECONDS, AccessTokens, type AccessClaims } from '../../http/access/access-tokens';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { newIdAt } from '../../platform/ids';
import { digestOf, newSecret } from '../../platform/secret-token';
import { membershipClaims, type MembershipRow } from '../../tenants/tenants.api';
import { isAdmin } from '../../users/users.api';
import type { NewAccessToken, NewRefreshToken } from '../data/session-records';
import type { TokenSubject } from '../data/token-subject';
import { refreshTokenText } from '../domain/refresh-token-text';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { TokenPair, type IssuedAccessToken } from '../domain/token-pair';

/** Makes tokens. It alone decides what they contain. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A refresh token with what is stored of it. @param secret undefined: a new random one */
  newRefreshToken(secret = newSecret()): { token: string; stored: NewRefreshToken } {
    const now = this.clock.now();
    const seconds = Math.min(REFRESH_TOKEN_SECONDS, this.settings.sessionMaxDays * DAY);
    const id = newIdAt(now);
    const stored = { id, secretHash: digestOf(secret), expiresAt: addSeconds(now, seconds) };
    return { token: refreshTokenText(id, secret), stored };
  }

  /** The id and the end of an access token, which are stored with its session. */
  newAccessToken(): NewAccessToken {
    const now = this.clock.now();
    return { id: newIdAt(now), expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS) };
  }

  /** The access token of a user with the refresh token of the same id. */
  async issuePair(
    subject: TokenSubject,
    membership: MembershipRow,
    refreshToken: string,
    jti: string,
    isNewSession: boolean,
  ): Promise<TokenPair> {
    const access = await this.issueAccess(this.claims(subject, membership, jti));
    return new TokenPair(access, refreshToken, subject.id, isNewSession, subject.isProven);
  }

  /** Signs an access token. */
  async issueAccess(claims: AccessClaims): Promise<IssuedAccessToken> {
    const accessToken = await this.accessTokens.issue(claims);
    return { accessToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS };
  }

  /** The only place that decides about admin access (docs/contract.md, Admin operations). */
  claims(subject: TokenSubject, membership: MembershipRow, jti: string): AccessClaims {
    const { id: sub, email, name } = subject;
    const { adminEmails, adminSecondFactor } = this.settings;
    const hasFactor = adminSecondFactor === 'optional' || subject.secondFactorAt !== null;
    return {
      sub,
      email,
      name,
      ...membershipClaims(membership),
      is_admin: isAdmin(subject, adminEmails, subject.isProven && hasFactor),
      jti,
    };
  }
}
