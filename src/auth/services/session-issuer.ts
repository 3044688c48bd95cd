import { Inject, Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { ACCESS_TOKEN_SECONDS, AccessTokens, type AccessClaims } from '../../http/access/access-tokens';
import type { Actor } from '../../http/access/actor';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { newIdAt } from '../../platform/ids';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, excluding, ok, type Failure, type Result } from '../../platform/result';
import { digestOf, newSecretToken } from '../../platform/secret-token';
import { membershipClaims, type MembershipRow } from '../../tenants/tenants.api';
import { isAdmin, type User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import {
  SessionRepository,
  type ImpersonationTarget,
  type NewAccessToken,
  type NewRefreshToken,
} from '../data/session.repository';
import type { TenantSwitch, TokenSubject } from '../data/session.statements';
import {
  RefreshToken,
  REFRESH_TOKEN_SECONDS,
  REPLAY_SECONDS,
  Session,
  type SignIn,
  type SecondStep,
} from '../domain/session';
import type { PolicyObstacle } from '../domain/sign-in-policy';
import { TokenPair, type IssuedAccessToken } from '../domain/token-pair';
import { AuthMetrics } from './auth-metrics';
import { currentDevice } from './current-device';
import { KnownDevices } from './known-devices';
import { SecondFactorTickets, type SignedIn } from './second-factor-tickets';
import { SuccessorTokens } from './successor-tokens';
import { UnconfirmedTokenRotations } from './unconfirmed-token-rotations';

export interface OpenOptions {
  /** The active tenant; undefined for the one that was active last, or the first one. */
  readonly tenantId?: string;
  /** A job that is enqueued if the user has not signed in with this device before. */
  readonly newDeviceJob?: Command<Result<unknown, string>>;
}

/** How a refresh token is exchanged. */
export interface RotateOptions {
  /**
   * The tenant of the access token; undefined, or without a membership there: the active tenant of
   * the session.
   */
  readonly tenantId?: string;
  /** The client's secret for this exchange, which can be repeated with it. */
  readonly key?: string;
}

/** Issues all tokens. It alone decides who may have a session, and what its tokens contain. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly devices: KnownDevices,
    private readonly secondFactors: SecondFactorTickets,
    private readonly unconfirmedTokenRotations: UnconfirmedTokenRotations,
    private readonly successors: SuccessorTokens,
    private readonly metrics: AuthMetrics,
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Opens a session for a user who was just authenticated. If the account has a second factor that
   * is not among what was proven, it returns a ticket for it instead, unless the browser is
   * trusted.
   * @returns ACCOUNT_DISABLED, EMAIL_NOT_VERIFIED, or INVALID_CREDENTIALS if the account changed
   * since it was read
   */
  async open(
    user: User,
    signIn: SignIn,
    { tenantId, newDeviceJob }: OpenOptions = {},
  ): Promise<Result<SignedIn, 'ACCOUNT_DISABLED' | 'EMAIL_NOT_VERIFIED' | 'INVALID_CREDENTIALS'>> {
    const allowed = user.checkSignIn();
    if (!allowed.ok) return allowed;
    const options = { tenantId, newDeviceJob };
    return this.secondFactors.openOrAsk(user, signIn, tenantId, () => this.start(user, signIn, options));
  }

  private async start(
    user: User,
    signIn: SignIn,
    { tenantId, newDeviceJob }: OpenOptions,
  ): Promise<Result<TokenPair, 'INVALID_CREDENTIALS'>> {
    const { token, stored } = this.newRefreshToken();
    const now = this.clock.now();
    const session = Session.start(user, signIn, currentDevice(), stored.expiresAt, now);
    const first = RefreshToken.issue(session.id, stored.tokenHash, stored.expiresAt, now);
    const job = this.devices.isKnown(user.id) ? undefined : newDeviceJob;
    const { passwordHash, hasSecondFactor } = user;
    const membership = await this.sessions.open(session, first, {
      passwordHash,
      hasSecondFactor,
      signIn,
      tenantId,
      job,
    });
    return membership
      ? ok(await this.issuePair(subjectOf(user, session), membership, token, first.id, true))
      : err(AuthFailures.invalidCredentials);
  }

  /**
   * The same for a verified user whose row this transaction has locked: nothing can change since it
   * was read. ACCOUNT_DISABLED.
   * @returns no ticket after the second factor
   */
  async openLocked(
    user: User,
    signIn: SecondStep,
    options?: OpenOptions,
  ): Promise<Result<TokenPair, 'ACCOUNT_DISABLED'>>;
  async openLocked(user: User, signIn: SignIn, options?: OpenOptions): Promise<Result<SignedIn, 'ACCOUNT_DISABLED'>>;
  async openLocked(user: User, signIn: SignIn, options?: OpenOptions): Promise<Result<SignedIn, 'ACCOUNT_DISABLED'>> {
    return excluding(await this.open(user, signIn, options), 'EMAIL_NOT_VERIFIED', 'INVALID_CREDENTIALS');
  }

  /**
   * Exchanges a live refresh token for the next pair of its session. A token that was used can be
   * used again with the same key, until its successor is used, and if the database has not
   * confirmed its exchange (see UnconfirmedTokenRotations).
   * @returns undefined if the token is not live
   */
  async rotate(refreshToken: string, { tenantId, key }: RotateOptions = {}): Promise<TokenPair | undefined> {
    const successor = key === undefined ? undefined : this.successors.of(refreshToken, key);
    const spentHash = digestOf(refreshToken);
    const rotated = await this.rotateByHash(spentHash, tenantId, successor);
    if (rotated) return rotated;
    const replayed = successor && (await this.replay(successor, tenantId));
    return replayed || this.rotateUnconfirmed(spentHash, tenantId);
  }

  /** The pair that was already issued, with a new access token of the same id. */
  private async replay(refreshToken: string, tenantId?: string): Promise<TokenPair | undefined> {
    const now = this.clock.now();
    const since = addSeconds(now, -REPLAY_SECONDS);
    const found = await this.sessions.findUnused(digestOf(refreshToken), since, now, tenantId);
    if (!found) return undefined;
    this.metrics.countRefreshReplay();
    return this.issuePair(found, found, refreshToken, found.tokenId, false);
  }

  private async rotateUnconfirmed(spentHash: Buffer, tenantId?: string): Promise<TokenPair | undefined> {
    for (const successorHash of await this.unconfirmedTokenRotations.successorsOf(spentHash)) {
      const pair =
        (await this.rotateByHash(successorHash, tenantId)) ?? (await this.rotateUnconfirmed(successorHash, tenantId));
      if (pair) return pair;
    }
    return undefined;
  }

  private async rotateByHash(
    spentHash: Buffer,
    tenantId: string | undefined,
    successor?: string,
  ): Promise<TokenPair | undefined> {
    const { token, stored } = this.newRefreshToken(successor);
    const maxSeconds = this.settings.sessionMaxDays * DAY;
    const rotate = () =>
      this.sessions.rotate(spentHash, stored, this.clock.now(), maxSeconds, currentDevice(), tenantId);
    // With a key the client repeats it by the key alone: what is remembered would need none.
    const subject = await (successor
      ? rotate()
      : this.unconfirmedTokenRotations.watch(spentHash, stored.tokenHash, rotate));
    return subject && this.issuePair(subject, subject, token, stored.id, false);
  }

  /**
   * Changes the active tenant of the session that an access token was issued in. No refresh token
   * is issued: otherwise a stolen access token would become a session (docs/contract.md, Sessions).
   * @returns an access token for that tenant. NOT_FOUND if the user is not a member; SESSION_ENDED;
   * what the policy of the tenant asks for
   */
  async switchTenant(
    actor: Pick<Actor, 'userId' | 'tokenId'>,
    tenantId: string,
  ): Promise<Result<IssuedAccessToken, 'NOT_FOUND' | 'SESSION_ENDED' | PolicyFailure>> {
    const access = this.newAccessToken();
    const now = this.clock.now();
    const switched = await this.sessions.switchTenant(actor, tenantId, access, now, currentDevice());
    if (!switched) return err(PlatformFailures.notFound);
    if (switched.obstacle) return err(OBSTACLE_FAILURES[switched.obstacle]);
    if (!hasSession(switched)) return err(PlatformFailures.sessionEnded);
    return ok(await this.issueAccess(this.claims(switched, switched, access.id)));
  }

  /**
   * An access token by which an admin impersonates a user; inside a transaction. It belongs to the
   * session of the admin, and ends with it or after 15 minutes (docs/specification.md,
   * Authentication).
   * @returns undefined if the admin's session has ended
   */
  async impersonate(
    user: ImpersonationTarget,
    { userId, tokenId }: Pick<Actor, 'userId' | 'tokenId'>,
  ): Promise<IssuedAccessToken | undefined> {
    const access = this.newAccessToken();
    if (!(await this.sessions.addAccessToken(tokenId, access))) return undefined;
    return this.issueAccess({
      ...this.claims({ ...user, isProven: false, secondFactorAt: null }, user, access.id),
      impersonator_id: userId,
    });
  }

  private newRefreshToken(token = newSecretToken()): { token: string; stored: NewRefreshToken } {
    const now = this.clock.now();
    const seconds = Math.min(REFRESH_TOKEN_SECONDS, this.settings.sessionMaxDays * DAY);
    return { token, stored: { id: newIdAt(now), tokenHash: digestOf(token), expiresAt: addSeconds(now, seconds) } };
  }

  private newAccessToken(): NewAccessToken {
    const now = this.clock.now();
    return { id: newIdAt(now), expiresAt: addSeconds(now, ACCESS_TOKEN_SECONDS) };
  }

  private async issuePair(
    subject: TokenSubject,
    membership: MembershipRow,
    refreshToken: string,
    jti: string,
    isNewSession: boolean,
  ): Promise<TokenPair> {
    const access = await this.issueAccess(this.claims(subject, membership, jti));
    return new TokenPair(access, refreshToken, subject.id, isNewSession);
  }

  private async issueAccess(claims: AccessClaims): Promise<IssuedAccessToken> {
    const accessToken = await this.accessTokens.issue(claims);
    return { accessToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS };
  }

  /** The only place that decides about admin access (docs/contract.md, Admin operations). */
  private claims(subject: TokenSubject, membership: MembershipRow, jti: string): AccessClaims {
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

const subjectOf = (user: User, { isProven, secondFactorAt }: Session): TokenSubject => ({
  ...user,
  isProven,
  secondFactorAt,
});

const hasSession = (switched: TenantSwitch): switched is TenantSwitch & TokenSubject => switched.id !== null;

/** What a policy answers to a session that it keeps out. */
const OBSTACLE_FAILURES = {
  'second-factor': AuthFailures.secondFactorRequired,
  method: AuthFailures.methodNotAllowed,
  'session-age': AuthFailures.sessionTooOld,
} satisfies Record<PolicyObstacle, Failure>;
export type PolicyFailure = (typeof OBSTACLE_FAILURES)[PolicyObstacle]['code'];
