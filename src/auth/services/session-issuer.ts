import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, excluding, ok, type Result } from '../../platform/result';
import type { User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import type { ImpersonationTarget } from '../data/session-records';
import { SessionRepository } from '../data/session.repository';
import type { TenantSwitch } from '../data/session.statements';
import type { TokenSubject } from '../data/token-subject';
import { RefreshToken, Session, type SecondStep, type SignIn } from '../domain/session';
import { OBSTACLE_FAILURES, type PolicyFailure } from '../domain/policy-failures';
import type { IssuedAccessToken, TokenPair } from '../domain/token-pair';
import { currentDevice } from './current-device';
import { KnownDevices } from './known-devices';
import { SecondFactorTickets, type SignedIn } from './second-factor-tickets';
import { TokenIssuer } from './token-issuer';

export interface OpenOptions {
  /** The active tenant; undefined for the one that was active last, or the first one. */
  readonly tenantId?: string;
  /** A job that is enqueued if the user has not signed in with this device before. */
  readonly newDeviceJob?: Command<Result<unknown, string>>;
}

/** Opens sessions. It alone decides who may have one. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly devices: KnownDevices,
    private readonly secondFactors: SecondFactorTickets,
    private readonly tokens: TokenIssuer,
    private readonly clock: Clock,
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
    const { token, stored } = this.tokens.newRefreshToken();
    const now = this.clock.now();
    const session = Session.start(user, signIn, currentDevice(), stored, now);
    const first = RefreshToken.issue(session.id, stored);
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
      ? ok(await this.tokens.issuePair(subjectOf(user, session), membership, token, first.id, true))
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
   * Changes the active tenant of the session that an access token was issued in. No refresh token
   * is issued: otherwise a stolen access token would become a session (docs/contract.md, Sessions).
   * @returns an access token for that tenant. NOT_FOUND if the user is not a member; SESSION_ENDED;
   * what the policy of the tenant asks for
   */
  async switchTenant(
    actor: Pick<Actor, 'userId' | 'tokenId'>,
    tenantId: string,
  ): Promise<Result<IssuedAccessToken, 'NOT_FOUND' | 'SESSION_ENDED' | PolicyFailure>> {
    const access = this.tokens.newAccessToken();
    const now = this.clock.now();
    const switched = await this.sessions.switchTenant(actor, tenantId, access, now, currentDevice());
    if (!switched) return err(PlatformFailures.notFound);
    if (switched.obstacle) return err(OBSTACLE_FAILURES[switched.obstacle]);
    if (!hasSession(switched)) return err(PlatformFailures.sessionEnded);
    return ok(await this.tokens.issueAccess(this.tokens.claims(switched, switched, access.id)));
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
    const access = this.tokens.newAccessToken();
    if (!(await this.sessions.addAccessToken(tokenId, access))) return undefined;
    return this.tokens.issueAccess({
      ...this.tokens.claims({ ...user, isProven: false, secondFactorAt: null }, user, access.id),
      impersonator_id: userId,
    });
  }
}

const subjectOf = (user: User, { isProven, secondFactorAt }: Session): TokenSubject => ({
  ...user,
  isProven,
  secondFactorAt,
});

const hasSession = (switched: TenantSwitch): switched is TenantSwitch & TokenSubject => switched.id !== null;
