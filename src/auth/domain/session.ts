import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { FACTOR_METHODS, type FactorMethod } from '../../factors/factors.api';
import { DAY, MINUTE } from '../../platform/clock';
import { newId } from '../../platform/ids';
import { User, type Provider } from '../../users/users.api';
import type { RefreshTokenRef } from './refresh-token-text';

/** Lifetime of a refresh token in seconds (docs/specification.md, Limits). */
export const REFRESH_TOKEN_SECONDS = 7 * DAY;
/** Seconds after an exchange in which it can be repeated with its key. */
export const REPLAY_SECONDS = 10 * MINUTE;

/** How a user signed in, and what the sign-in changed. Kept in the audit log. */
export interface SignIn {
  readonly method: 'password' | 'passkey' | 'verification' | 'invitation' | 'magic-link' | Provider;
  /** The second factor that was proven. */
  readonly secondFactor?: FactorMethod;
  /** Whether the passkey was added in a session with proof of the mailbox. */
  readonly isProven?: boolean;
  /** Whether an identity provider was linked to the account. */
  readonly linked?: boolean;
  /** Whether a password was removed that was set before the mailbox was proven. */
  readonly passwordRemoved?: boolean;
}

/** A sign-in whose second factor was proven. */
export type SecondStep = SignIn & Required<Pick<SignIn, 'secondFactor'>>;

/** Whether two factors were proven: a passkey counts as two, because it verifies its user. */
export const provesTwoFactors = ({ method, secondFactor }: SignIn): boolean =>
  method === 'passkey' || secondFactor !== undefined;

/** What a session needs to know of the user who signed in. */
export type SessionUser = Pick<User, 'id' | 'isPasswordProven' | 'hasSecondFactor'>;

/** How a user proves their identity again during a session. */
export type ProofMethod = FactorMethod | 'password' | 'email-code';

/** What is removed together with the second factor. */
const FORGOTTEN: readonly string[] = ['totp', 'recovery-code'] satisfies FactorMethod[];

/** Why a session was revoked. Kept in the audit log. */
export type RevocationReason =
  | 'account-secured'
  | 'logout'
  | 'ended-by-user'
  | 'ended-by-operator'
  | 'password-changed'
  | 'password-reset'
  | 'email-changed'
  | 'second-factor-changed'
  | 'token-reuse'
  | 'mailbox-claimed'
  | 'deletion-planned'
  | 'disabled';

/** A session that was just revoked. */
export interface RevokedSession {
  readonly id: string;
  readonly userId: string;
  /** The active tenant; null if the user is no longer a member of it. */
  readonly tenantId: string | null;
}

/** The device that uses a session. */
export interface Device {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A sign-in with the family of its refresh tokens (docs/specification.md, RefreshToken). */
@Entity('sessions')
@Index('sessions_user_id_id_idx', ['userId', 'id'])
export class Session {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'sessions_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  /**
   * Whether the session started with proof of the mailbox, or with a password or a passkey that
   * was set up after such a proof. Admin access needs a proven session (docs/contract.md, Admin
   * operations).
   */
  @Column('boolean', { default: false }) readonly isProven!: boolean;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly lastUsedAt!: Date;
  /** When the newest refresh token expires. */
  @Column('timestamptz') readonly expiresAt!: Date;
  @Column('text', { nullable: true }) readonly ip!: string | null;
  @Column('text', { nullable: true }) readonly userAgent!: string | null;
  /** Set when the session ends before it expires (see RevocationReason). */
  @Column('timestamptz', { nullable: true }) readonly revokedAt!: Date | null;
  /**
   * The refresh token that can be exchanged: all other ones of the session were. Only a refresh
   * changes it. Null until the first refresh of a session that an earlier version has started. No
   * foreign key, which each refresh would check.
   */
  @Column({ type: 'uuid', nullable: true, update: false }) readonly currentTokenId!: string | null;
  /**
   * The tenant of the access tokens. If the user is no longer a member of it, the tenant that the
   * user joined first is used instead.
   */
  @Column('uuid', { nullable: true }) readonly activeTenantId!: string | null;
  /** What the user has proven in this session: how they signed in, then second factors. */
  @Column('text', { array: true, default: [] }) methods!: readonly string[];
  /** When a second factor was proven last; null if none was, such as in a trusted browser. */
  @Column('timestamptz', { nullable: true }) secondFactorAt!: Date | null;
  /**
   * When the user proved their identity last with all that the account has: the second factor, if
   * it has one. Null: not in this session.
   */
  @Column('timestamptz', { nullable: true }) provedAt!: Date | null;

  /**
   * A new session, without an active tenant.
   * @param token its first refresh token
   */
  static start(
    user: SessionUser,
    signIn: SignIn,
    { ip, userAgent }: Device,
    token: Pick<RefreshToken, 'id' | 'expiresAt'>,
    now: Date,
  ): Session {
    const { method, secondFactor } = signIn;
    const hasTwoFactors = provesTwoFactors(signIn);
    return Object.assign(new Session(), {
      id: newId(),
      userId: user.id,
      isProven: isProven(signIn, user),
      methods: secondFactor ? [method, secondFactor] : [method],
      secondFactorAt: hasTwoFactors ? now : null,
      provedAt: hasTwoFactors || !user.hasSecondFactor ? now : null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: token.expiresAt,
      ip,
      userAgent,
      revokedAt: null,
      currentTokenId: token.id,
      activeTenantId: null,
    });
  }

  /** Whether it is neither revoked nor expired. */
  isLive(now: Date): boolean {
    return this.revokedAt === null && this.expiresAt > now;
  }

  /** Whether the user has proven their identity at `since` or later. */
  isProvedSince(since: Date): boolean {
    return this.provedAt !== null && this.provedAt >= since;
  }

  /**
   * The user has proven their identity again.
   * @param method how; a second factor counts as one
   */
  prove(method: ProofMethod, now: Date): void {
    if (!this.methods.includes(method)) this.methods = [...this.methods, method];
    if ((FACTOR_METHODS as readonly string[]).includes(method)) this.secondFactorAt = now;
    this.provedAt = now;
  }

  /**
   * The account no longer has a second factor: what was proven with it does not count. A passkey
   * still does.
   */
  forgetSecondFactor(): void {
    this.methods = this.methods.filter((method) => !FORGOTTEN.includes(method));
    if (!this.methods.includes('passkey')) this.secondFactorAt = null;
  }
}

function isProven(signIn: SignIn, user: SessionUser): boolean {
  if (signIn.method === 'passkey') return signIn.isProven === true;
  return signIn.method !== 'password' || user.isPasswordProven;
}

/**
 * An issued refresh token. Used tokens are kept until they expire, so that reuse is detected: a
 * token of a live session is revoked (docs/specification.md, RefreshToken) unless it is the current
 * one of the session. A refresh adds a row and changes none. An
 * access token that was issued without a refresh token (by a tenant switch or an impersonation) has
 * a row without a hash, so that its session can be found by its jti as well.
 */
@Entity('refresh_tokens')
@Unique('refresh_tokens_token_hash_key', ['tokenHash'])
@Index('refresh_tokens_session_id_idx', ['sessionId'])
@Index('refresh_tokens_expires_at_idx', ['expiresAt'])
export class RefreshToken {
  /** Also the jti of the access token that was issued with it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'refresh_tokens_pkey' }) readonly id!: string;
  @ForeignKey(() => Session, { name: 'refresh_tokens_session_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly sessionId!: string;
  /** The SHA-256 of the secret of the token. Null if only an access token was issued. */
  @Column('bytea', { nullable: true }) readonly secretHash!: Buffer | null;
  @Column('timestamptz') readonly expiresAt!: Date;
  /**
   * The hash of a token that an earlier version has issued, which contains no id. The last of them
   * expires 7 days after the upgrade, and is deleted 30 days later.
   */
  @Column('bytea', { nullable: true }) readonly tokenHash!: Buffer | null;
  /** Whether such a token was exchanged, or revoked by an earlier version. */
  @Column('boolean', { default: false }) readonly isRevoked!: boolean;

  /** A live token of a session; only the hash of its secret is stored. */
  static issue(sessionId: string, { id, secretHash, expiresAt }: RefreshTokenRef & { expiresAt: Date }): RefreshToken {
    const earlier = { tokenHash: null, isRevoked: false };
    return Object.assign(new RefreshToken(), { id, sessionId, secretHash, expiresAt, ...earlier });
  }

  /** The row of an access token that was issued without a refresh token. */
  static ofAccess(sessionId: string, { id, expiresAt }: Pick<RefreshToken, 'id' | 'expiresAt'>): RefreshToken {
    const none = { secretHash: null, tokenHash: null, isRevoked: false };
    return Object.assign(new RefreshToken(), { id, sessionId, expiresAt, ...none });
  }
}
