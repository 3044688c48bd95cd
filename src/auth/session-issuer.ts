import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import { AccessTokens } from '../edge/access-tokens';
import { Clock, later } from '../platform/clock';
import { newId } from '../platform/ids';
import { currentContext } from '../platform/request-context';
import { err, ok, type Result } from '../platform/result';
import { digestOf, newSecretToken } from '../platform/secret-token';
import { membershipClaims, type MembershipRow } from '../tenants/tenants.contract';
import { isAdmin, type User } from '../users/users.contract';
import { AuthFailures } from './auth.failures';
import { SessionRepository, type Device, type Holder, type MintedToken, type SignIn } from './data/session.repository';
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
   * @param by       how; kept in the audit log
   * @param tenantId the tenant to be active; undefined: the one that was active last, else the first
   * @returns ACCOUNT_DISABLED, EMAIL_NOT_VERIFIED, or INVALID_CREDENTIALS when the account changed in this very moment
   */
  async open(user: User, by: SignIn, tenantId?: string): Promise<Result<TokenPair>> {
    const allowed = user.mayEnter();
    if (!allowed.ok) return allowed;
    const { token, minted } = this.mint();
    const session = { id: newId(), userId: user.id, now: this.clock.now(), by, tenantId, ...deviceOfRequest() };
    const membership = await this.sessions.open(session, user.passwordHash, minted);
    return membership ? ok(await this.pair(user, membership, token, minted)) : err(AuthFailures.invalidCredentials);
  }

  /** Exchanges a live refresh token for the next pair of its session; undefined when it is not live. */
  async rotate(refreshToken: string): Promise<TokenPair | undefined> {
    const { token, minted } = this.mint();
    const holder = await this.sessions.rotate(digestOf(refreshToken), minted, this.clock.now(), deviceOfRequest());
    return holder && this.pair(holder, holder, token, minted);
  }

  /**
   * Makes another tenant active in the session that an access token was minted in, in a transaction.
   * @param membership what its person is there
   * @returns the next pair, or undefined when the session has ended
   */
  async switchTenant(tokenId: string, membership: MembershipRow & { readonly tenantId: string }): Promise<TokenPair | undefined> {
    const { token, minted } = this.mint();
    const holder = await this.sessions.switchTenant(tokenId, membership.tenantId, minted, this.clock.now(), deviceOfRequest());
    return holder && this.pair(holder, membership, token, minted);
  }

  private mint(): { token: string; minted: MintedToken } {
    const token = newSecretToken();
    return { token, minted: { id: newId(), tokenHash: digestOf(token), expiresAt: later(this.clock.now(), REFRESH_TOKEN_SECONDS) } };
  }

  private async pair(holder: Holder, membership: MembershipRow, refreshToken: string, { id: jti }: MintedToken): Promise<TokenPair> {
    const { id: sub, email, name } = holder;
    const accessToken = await this.accessTokens.issue({
      sub,
      email,
      name,
      ...membershipClaims(membership),
      is_admin: isAdmin(holder, this.settings.adminEmails),
      jti,
    });
    return new TokenPair(accessToken, refreshToken);
  }
}

function deviceOfRequest(): Device {
  const { ip, userAgent } = currentContext();
  return { ip, userAgent };
}
