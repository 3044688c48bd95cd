import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import type { ActorRef } from '../../platform/domain-events';
import { addSeconds } from '../../platform/clock';
import { REVOCATION_SECONDS, RevokedTokens } from '../../http/access/revoked-tokens';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AuditLogRepository, type AuditRecord } from '../../audit/audit.api';
import { currentContext } from '../../platform/observability/request-context';
import { storedJob } from '../../platform/jobs/jobs';
import type { Result } from '../../platform/result';
import type { MembershipRow } from '../../tenants/tenants.api';
import { firstIdAt, newIdAt } from '../../platform/ids';
import type { Provider, UserView } from '../../users/users.api';
import { OneTimeTokenRepository } from './one-time-token.repository';
import {
  FIND_HOLDER,
  IS_PROVEN,
  MINT_ACCESS,
  OPEN_SESSION,
  REVOKE_TOKENS,
  revokeSessionsWhere,
  ROTATE_TOKEN,
  SESSION_LIVES,
  SWITCH_TENANT,
  WHY_NOT_ROTATED,
} from './session.statements';

/** What is stored when an access token is minted: through its jti the session is found. */
export interface MintedAccess {
  /** The jti. */
  readonly id: string;
  readonly expiresAt: Date;
}

/**
 * What is stored when a refresh token is minted; the id is also the jti of the access token that
 * goes with it.
 */
export interface MintedToken extends MintedAccess {
  readonly tokenHash: Buffer;
}

/** The device that a session is used from. */
export interface Device {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/**
 * What an access token says of its holder; read together with every rotation, so that it is never
 * older than the token.
 */
export interface TokenSubject {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified: boolean;
  readonly isAdmin: boolean;
  /** Whether the session began by proof of the mailbox (see isAdmin). */
  readonly isProven: boolean;
}

/** A holder with all that their account shows. */
export type Person = UserView & { readonly disabledAt: Date | null };

/** How somebody has signed in, and what that changed; kept in the audit log. */
export interface SignIn {
  readonly method: 'password' | 'verification' | 'invitation' | 'magic-link' | Provider;
  /** An account at an identity provider leads here from now on. */
  readonly linked?: boolean;
  /** A password that nobody had proven is gone. */
  readonly passwordRemoved?: boolean;
}

/** A session that is begun. */
export interface NewSession extends Device {
  readonly id: string;
  readonly userId: string;
  readonly now: Date;
  readonly by: SignIn;
  /** Whether it begins by proof of the mailbox, or with a password that was set after it. */
  readonly isProven: boolean;
  /** Undefined: the tenant that was active last. */
  readonly tenantId?: string;
  /** A deferrable command that tells the person of it; enqueued with the session. */
  readonly told?: Command<Result<unknown>>;
}

/** Why a session was ended before its time; kept in the audit log. */
export type EndReason =
  | 'account-secured'
  | 'logout'
  | 'ended-by-user'
  | 'ended-by-operator'
  | 'password-changed'
  | 'password-reset'
  | 'token-reuse'
  | 'mailbox-claimed'
  | 'disabled';

interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly tenantId: string | null;
}

/** Why a refresh token was not rotated. */
export interface SpentToken {
  readonly sessionId: string;
  readonly userId: string;
  readonly isRevoked: boolean;
  readonly isDisabled: boolean;
}

/**
 * Sessions and their refresh tokens. Every statement here takes the session's row before those of
 * its tokens, so that rotation, logout and revocation follow one another and never wait in a
 * circle.
 */
@Injectable()
export class SessionRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly links: OneTimeTokenRepository,
  ) {}

  /**
   * Stores a new session with its first refresh token, if the account is still as it was when its
   * owner was recognised: a password reset or a disabling that happens at the same moment either
   * comes first and prevents it, or comes later and revokes it.
   * @param passwordHash what the account's hash was then
   * @returns the membership that is active in it, or undefined when it was prevented
   */
  async open(session: NewSession, passwordHash: string | null, token: MintedToken): Promise<MembershipRow | undefined> {
    const { userId, id, now, ip, userAgent, by, isProven, tenantId = null } = session;
    const audit = [newIdAt(now), currentContext().requestId, JSON.stringify(by, onlyWhatIs)];
    const told = session.told ? JSON.stringify(storedJob(session.told)) : null;
    const rest = [...audit, isProven, told];
    const parameters = [
      userId,
      passwordHash,
      id,
      now,
      token.expiresAt,
      ip,
      userAgent,
      token.id,
      token.tokenHash,
      tenantId,
      ...rest,
    ];
    const rows = await this.unitOfWork.query<MembershipRow>(OPEN_SESSION, parameters);
    return rows[0];
  }

  /**
   * Replaces a live refresh token by a new one of the same session, in one statement: of any number
   * at once, one succeeds.
   * @param maxSeconds how long a session lives at most
   * @returns whom it belongs to and what they may do now, or undefined when it is not live
   */
  async rotate(
    spentHash: Buffer,
    token: MintedToken,
    now: Date,
    maxSeconds: number,
    { ip, userAgent }: Device,
  ): Promise<(TokenSubject & MembershipRow) | undefined> {
    const parameters = [spentHash, now, token.expiresAt, ip, userAgent, token.id, token.tokenHash, maxSeconds];
    const rows = await this.unitOfWork.query<TokenSubject & MembershipRow>(ROTATE_TOKEN, parameters);
    return rows[0];
  }

  /**
   * Makes another tenant the active one of the session in which an access token was minted; its
   * refresh token stays.
   * @param access the access token for the other tenant
   * @returns whose session it is, or undefined when it does not live
   */
  async switchTenant(
    tokenId: string,
    tenantId: string,
    access: MintedAccess,
    now: Date,
    { ip, userAgent }: Device,
  ): Promise<TokenSubject | undefined> {
    const parameters = [tokenId, tenantId, now, ip, userAgent, access.id, access.expiresAt];
    const [switched] = await this.unitOfWork.query<TokenSubject>(SWITCH_TENANT, parameters);
    return switched;
  }

  /** Whether the session lives that this access token was minted in. */
  async lives(tokenId: string, now: Date): Promise<boolean> {
    return (await this.unitOfWork.query(SESSION_LIVES, [tokenId, now])).length === 1;
  }

  /**
   * Has one more access token belong to the session in which one was minted; in a transaction.
   * @returns false when that session has ended
   */
  async mintAccess(tokenId: string, access: MintedAccess): Promise<boolean> {
    return (await this.unitOfWork.query(MINT_ACCESS, [tokenId, access.id, access.expiresAt])).length === 1;
  }

  /**
   * Somebody as an operator would act as them; their account stays as it is until the transaction
   * ends.
   * @param tenantId where; undefined: where they were last
   * @returns undefined when there is no such person, or not in this tenant
   */
  async findHolder(userId: string, tenantId?: string): Promise<(Person & MembershipRow) | undefined> {
    const [found] = await this.unitOfWork.query<Person & MembershipRow>(FIND_HOLDER, [userId, tenantId ?? null]);
    return tenantId && found?.tenantId !== tenantId ? undefined : found;
  }

  /** Whether the session in which this access token was minted began by proof of the mailbox. */
  async isProven(tokenId: string): Promise<boolean> {
    const [session] = await this.unitOfWork.query<{ isProven: boolean }>(IS_PROVEN, [tokenId]);
    return session?.isProven ?? false;
  }

  /** What is known of a refresh token that could not be rotated; undefined when nothing is. */
  async findRotationFailure(tokenHash: Buffer): Promise<SpentToken | undefined> {
    const rows = await this.unitOfWork.query<SpentToken>(WHY_NOT_ROTATED, [tokenHash]);
    return rows[0];
  }

  /**
   * Whether the session in which an access token of this person was minted lives, and has begun at
   * this time or later.
   */
  async hasBegunSince(userId: string, tokenId: string, since: Date): Promise<boolean> {
    const sql = `SELECT FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
                  WHERE t.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.created_at >= $3`;
    return (await this.unitOfWork.query(sql, [tokenId, userId, since])).length === 1;
  }

  /** Ends the session that a refresh token belongs to. */
  revokeByToken(tokenHash: Buffer, now: Date, reason: EndReason): Promise<number> {
    return this.revoke(
      's.id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $2)',
      now,
      [tokenHash],
      reason,
    );
  }

  /**
   * Ends one session of a person.
   * @param by who does it, where it is not the person
   * @returns 0 when this person has no such live session
   */
  revokeOne(userId: string, sessionId: string, now: Date, reason: EndReason, by?: ActorRef): Promise<number> {
    return this.revoke('s.user_id = $2 AND s.id = $3', now, [userId, sessionId], reason, by);
  }

  /**
   * Ends every session of a person, and withdraws their open links (contract section 11).
   * @param by who does it, where it is not the person
   */
  async revokeAll(userId: string, now: Date, reason: EndReason, by?: ActorRef): Promise<number> {
    await this.links.withdrawAll(userId);
    return this.revoke('s.user_id = $2', now, [userId], reason, by);
  }

  /** The same but for the session in which this access token was minted. */
  async revokeOthers(userId: string, tokenId: string, now: Date, reason: EndReason): Promise<number> {
    await this.links.withdrawAll(userId);
    const others = 's.user_id = $2 AND s.id IS DISTINCT FROM (SELECT session_id FROM refresh_tokens WHERE id = $3)';
    return this.revoke(others, now, [userId, tokenId], reason);
  }

  /**
   * Statements that belong together: call the methods above inside a transaction.
   * @returns how many sessions ended
   */
  private async revoke(
    condition: string,
    now: Date,
    parameters: unknown[],
    reason: EndReason,
    by?: ActorRef,
  ): Promise<number> {
    const sessions = await this.unitOfWork.query<EndedSession>(revokeSessionsWhere(condition), [now, ...parameters]);
    if (sessions.length === 0) return 0;
    const since = firstIdAt(addSeconds(now, -REVOCATION_SECONDS));
    const tokens = await this.unitOfWork.query<{ id: string }>(REVOKE_TOKENS, [
      sessions.map(({ id }) => id),
      since,
      NAMED_TOKENS,
    ]);
    await this.revokedTokens.revoke(tokens.length > NAMED_TOKENS ? [sessions[0].userId] : tokens.map(({ id }) => id));
    await this.auditLogRepository.append(sessions.map((session) => happeningOf(session, reason, by)));
    return sessions.length;
  }
}

/**
 * The access tokens of one revocation that are named each; where there are more, all of the
 * person's end, and other sessions of theirs refresh.
 */
const NAMED_TOKENS = 200;

/** Leaves out what did not happen. */
const onlyWhatIs = (_name: string, value: unknown) => (value === false ? undefined : value);

function happeningOf(
  { id, userId, tenantId }: EndedSession,
  reason: EndReason,
  by: ActorRef = { userId, impersonatorId: null },
): AuditRecord {
  const action = reason === 'token-reuse' ? 'session.token-reused' : 'session.revoked';
  return { action, by, tenantId, target: { type: 'session', id }, data: { reason } };
}
