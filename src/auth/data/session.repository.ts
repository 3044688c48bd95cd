import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/unit-of-work';
import { OPEN_SESSION, REVOKE_TOKENS, revokeSessionsWhere, ROTATE_TOKEN, WHY_NOT_ROTATED } from './session.statements';

/** What is stored when a refresh token is minted. */
export interface MintedToken {
  /** Also the jti of the access token that goes with it. */
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** The device that a session is used from. */
export interface Device {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** What an access token says of its holder; read together with every rotation, so that it is never older than the token. */
export interface Holder {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isEmailVerified: boolean;
}

/** Why a refresh token was not rotated. */
export interface SpentToken {
  readonly sessionId: string;
  readonly isRevoked: boolean;
  readonly isDisabled: boolean;
}

/**
 * Sessions and their refresh tokens. Every statement here takes the session's row before those of its tokens, so that rotation, logout and
 * revocation follow one another and never wait in a circle.
 */
@Injectable()
export class SessionRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Stores a new session with its first refresh token, if the account is still as it was when its owner was recognised: a password reset
   * or a disabling that happens at the same moment either comes first and prevents it, or comes later and revokes it.
   * @param passwordHash what the account's hash was then
   */
  async open(session: { id: string; userId: string; now: Date } & Device, passwordHash: string | null, token: MintedToken): Promise<boolean> {
    const rows = await this.unitOfWork.query(OPEN_SESSION, [
      session.userId,
      passwordHash,
      session.id,
      session.now,
      token.expiresAt,
      session.ip,
      session.userAgent,
      token.id,
      token.tokenHash,
    ]);
    return rows.length === 1;
  }

  /**
   * Replaces a live refresh token by a new one of the same session, in one statement: of any number at once, one succeeds.
   * @returns whom it belongs to, or undefined when it is not live
   */
  async rotate(spentHash: Buffer, token: MintedToken, now: Date, { ip, userAgent }: Device): Promise<Holder | undefined> {
    const rows = await this.unitOfWork.query<Holder>(ROTATE_TOKEN, [spentHash, now, token.expiresAt, ip, userAgent, token.id, token.tokenHash]);
    return rows[0];
  }

  /** What is known of a refresh token that could not be rotated; undefined when nothing is. */
  async whyNotRotated(tokenHash: Buffer): Promise<SpentToken | undefined> {
    const rows = await this.unitOfWork.query<SpentToken>(WHY_NOT_ROTATED, [tokenHash]);
    return rows[0];
  }

  /** Ends the session that a refresh token belongs to. */
  revokeByToken(tokenHash: Buffer, now: Date): Promise<number> {
    return this.revoke('s.id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $2)', now, [tokenHash]);
  }

  /** Ends one session of a person. @returns 0 when this person has no such live session */
  revokeOne(userId: string, sessionId: string, now: Date): Promise<number> {
    return this.revoke('s.user_id = $2 AND s.id = $3', now, [userId, sessionId]);
  }

  /** Ends every session of a person. */
  revokeAll(userId: string, now: Date): Promise<number> {
    return this.revoke('s.user_id = $2', now, [userId]);
  }

  /** Ends every session of a person but the one in which this access token was minted. */
  revokeOthers(userId: string, tokenId: string, now: Date): Promise<number> {
    const others = 's.user_id = $2 AND s.id IS DISTINCT FROM (SELECT session_id FROM refresh_tokens WHERE id = $3)';
    return this.revoke(others, now, [userId, tokenId]);
  }

  /** Two statements that belong together: call the methods above inside a transaction. @returns how many sessions ended */
  private async revoke(condition: string, now: Date, parameters: unknown[]): Promise<number> {
    const sessions = await this.unitOfWork.query<{ id: string }>(revokeSessionsWhere(condition), [now, ...parameters]);
    if (sessions.length > 0) await this.unitOfWork.query(REVOKE_TOKENS, [sessions.map(({ id }) => id)]);
    return sessions.length;
  }
}
