import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import { AccessTokens } from '../edge/access-tokens';
import { Clock, later } from '../platform/clock';
import { newId } from '../platform/ids';
import { requestContext } from '../platform/request-context';
import { err, ok, type Result } from '../platform/result';
import { digestOf, newSecretToken } from '../platform/secret-token';
import { isAdmin, type User } from '../users/users.contract';
import { AuthFailures } from './auth.failures';
import { SessionRepository, type Device, type MintedToken } from './data/session.repository';
import { activeMembership } from './active-membership';
import { REFRESH_TOKEN_SECONDS } from './domain/session';
import { TokenPair } from './token-pair';

/** Where every way in ends: who may have a session, and what its tokens say, is decided here and nowhere else. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Opens a session for a person who has just been recognised.
   * @returns ACCOUNT_DISABLED, EMAIL_NOT_VERIFIED, or INVALID_CREDENTIALS when the account changed in this very moment
   */
  async open(user: User): Promise<Result<TokenPair>> {
    const allowed = user.mayEnter();
    if (!allowed.ok) return allowed;
    const { token, minted } = this.mint();
    const session = { id: newId(), userId: user.id, now: this.clock.now(), ...deviceOfRequest() };
    const opened = await this.sessions.open(session, user.passwordHash, minted);
    return opened ? ok(await this.pair(user, token, minted)) : err(AuthFailures.invalidCredentials);
  }

  /** Exchanges a live refresh token for the next pair of its session; undefined when it is not live. */
  async rotate(refreshToken: string): Promise<TokenPair | undefined> {
    const { token, minted } = this.mint();
    const holder = await this.sessions.rotate(digestOf(refreshToken), minted, this.clock.now(), deviceOfRequest());
    return holder && this.pair(holder, token, minted);
  }

  private mint(): { token: string; minted: MintedToken } {
    const token = newSecretToken();
    return { token, minted: { id: newId(), tokenHash: digestOf(token), expiresAt: later(this.clock.now(), REFRESH_TOKEN_SECONDS) } };
  }

  private async pair(
    holder: Pick<User, 'id' | 'email' | 'name' | 'isEmailVerified'>,
    refreshToken: string,
    { id: jti }: MintedToken,
  ): Promise<TokenPair> {
    const { id: sub, email, name } = holder;
    const accessToken = await this.accessTokens.issue({
      sub,
      email,
      name,
      ...activeMembership(),
      is_admin: isAdmin(holder, this.settings.adminEmails),
      jti,
    });
    return new TokenPair(accessToken, refreshToken);
  }
}

function deviceOfRequest(): Device {
  const context = requestContext();
  return { ip: context?.ip ?? null, userAgent: context?.userAgent ?? null };
}
