import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { ACCESS_TOKEN_SECONDS, AccessTokens, type AccessClaims } from '../../http/access/access-tokens';
import type { Actor } from '../../http/access/actor';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { newId, newIdAt } from '../../platform/ids';
import { currentContext } from '../../platform/observability/request-context';
import { err, ok, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { membershipClaims, type MembershipRow } from '../../tenants/tenants.api';
import { isAdmin, type User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import {
  SessionRepository,
  type Device,
  type TokenSubject,
  type MintedAccess,
  type MintedToken,
  type SignIn,
} from '../data/session.repository';
import { KnownDevices } from './known-devices';
import { SendSecurityMailOnAccountChanged } from '../listeners/send-security-mail-on-account-changed';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { AccessTokenView, TokenPair } from '../domain/token-pair';
import { UnconfirmedRotations } from './unconfirmed-rotations';

/**
 * Where every way in ends: who may have a session, and what its tokens say, is decided here and
 * nowhere else.
 */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly devices: KnownDevices,
    private readonly sendSecurityMailOnAccountChanged: SendSecurityMailOnAccountChanged,
    private readonly unconfirmedRotations: UnconfirmedRotations,
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Opens a session for a person who has just been recognised.
   * @param by how; kept in the audit log
   * @param tenantId the tenant to be active; undefined: the one that was active last, else the
   * first
   * @returns ACCOUNT_DISABLED, EMAIL_NOT_VERIFIED, or INVALID_CREDENTIALS when the account changed
   * in this very moment
   */
  async open(user: User, by: SignIn, tenantId?: string): Promise<Result<TokenPair>> {
    const allowed = user.mayEnter();
    if (!allowed.ok) return allowed;
    const { token, minted } = this.mint();
    const isProven = by.method !== 'password' || user.isPasswordProven;
    const told = this.isNews(user, by) ? this.sendSecurityMailOnAccountChanged.mail(user.id, 'new-device') : undefined;
    const session = {
      id: newId(),
      userId: user.id,
      now: this.clock.now(),
      by,
      isProven,
      tenantId,
      told,
      ...deviceOfRequest(),
    };
    const membership = await this.sessions.open(session, user.passwordHash, minted);
    return membership
      ? ok(await this.pair({ ...user, isProven }, membership, token, minted, true))
      : err(AuthFailures.invalidCredentials);
  }

  /**
   * Whether a sign-in with an unknown device is worth a mail: not the first one of an account, and
   * not one that another mail tells of.
   */
  private isNews({ id }: User, { method, linked }: SignIn): boolean {
    return method !== 'verification' && method !== 'invitation' && !linked && !this.devices.isKnown(id);
  }

  /**
   * Exchanges a live refresh token for the next pair of its session; undefined when it is not live.
   * One that was exchanged while nobody heard of it is good once more.
   */
  rotate(refreshToken: string): Promise<TokenPair | undefined> {
    return this.rotateByHash(digestOf(refreshToken));
  }

  private async rotateByHash(spentHash: Buffer): Promise<TokenPair | undefined> {
    const { token, minted } = this.mint();
    const maxSeconds = this.settings.sessionMaxDays * DAY;
    const rotate = () => this.sessions.rotate(spentHash, minted, this.clock.now(), maxSeconds, deviceOfRequest());
    const holder = await this.unconfirmedRotations.watch(spentHash, minted.tokenHash, rotate);
    if (holder) return this.pair(holder, holder, token, minted, false);
    for (const successorHash of await this.unconfirmedRotations.successorsOf(spentHash)) {
      const pair = await this.rotateByHash(successorHash);
      if (pair) return pair;
    }
    return undefined;
  }

  /**
   * Makes another tenant active in the session that an access token was minted in. An access token
   * alone does not give a refresh token: else a stolen one would become a session (contract section
   * 11).
   * @param membership what its person is there
   * @returns an access token for that tenant, or undefined when the session has ended
   */
  async switchTenant(
    tokenId: string,
    membership: MembershipRow & { readonly tenantId: string },
  ): Promise<AccessTokenView | undefined> {
    const access = this.mintAccess();
    const holder = await this.sessions.switchTenant(
      tokenId,
      membership.tenantId,
      access,
      this.clock.now(),
      deviceOfRequest(),
    );
    return holder && new AccessTokenView(await this.accessTokens.issue(this.claims(holder, membership, access.id)));
  }

  private mint(): { token: string; minted: MintedToken } {
    const token = newSecretToken();
    const now = this.clock.now();
    return {
      token,
      minted: {
        id: newIdAt(now),
        tokenHash: digestOf(token),
        expiresAt: addSeconds(now, Math.min(REFRESH_TOKEN_SECONDS, this.settings.sessionMaxDays * DAY)),
      },
    };
  }

  private mintAccess(): MintedAccess {
    const now = this.clock.now();
    return { id: newIdAt(now), expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS) };
  }

  /**
   * An access token, and nothing else, by which an admin acts as somebody; in a transaction. It
   * belongs to the session of the admin, and ends with it or with its 15 minutes (specification,
   * Authentication 6).
   * @returns undefined when the admin's session has ended
   */
  async impersonate(
    person: Omit<TokenSubject, 'isProven'> & MembershipRow,
    { userId, tokenId }: Actor,
  ): Promise<string | undefined> {
    const access = this.mintAccess();
    if (!(await this.sessions.mintAccess(tokenId, access))) return undefined;
    return this.accessTokens.issue({
      ...this.claims({ ...person, isProven: false }, person, access.id),
      impersonator_id: userId,
    });
  }

  private async pair(
    holder: TokenSubject,
    membership: MembershipRow,
    refreshToken: string,
    { id: jti }: MintedToken,
    isNew: boolean,
  ): Promise<TokenPair> {
    return new TokenPair(
      await this.accessTokens.issue(this.claims(holder, membership, jti)),
      refreshToken,
      holder.id,
      isNew,
    );
  }

  private claims(holder: TokenSubject, membership: MembershipRow, jti: string): AccessClaims {
    const { id: sub, email, name } = holder;
    return {
      sub,
      email,
      name,
      ...membershipClaims(membership),
      is_admin: isAdmin(holder, this.settings.adminEmails, holder.isProven),
      jti,
    };
  }
}

function deviceOfRequest(): Device {
  const { ip, userAgent } = currentContext();
  return { ip, userAgent };
}
