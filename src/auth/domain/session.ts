import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { DAY } from '../../platform/clock';
import { User } from '../../users/users.api';

/** Seconds that a refresh token lives (specification, Limits). */
export const REFRESH_TOKEN_SECONDS = 7 * DAY;

/**
 * One login and all that came of it: the family of its refresh tokens (specification,
 * RefreshToken.FamilyId).
 */
@Entity('sessions')
@Index('sessions_user_id_id_idx', ['userId', 'id'])
export class Session {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'sessions_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  /**
   * Whether it began by proof of the mailbox, or with a password that was set after it: only then
   * an admin is one in it (contract section 11).
   */
  @Column('boolean', { default: false }) readonly isProven!: boolean;
  @Column('timestamptz') readonly createdAt!: Date;
  @Column('timestamptz') readonly lastUsedAt!: Date;
  /** When its newest refresh token expires. */
  @Column('timestamptz') readonly expiresAt!: Date;
  @Column('text', { nullable: true }) readonly ip!: string | null;
  @Column('text', { nullable: true }) readonly userAgent!: string | null;
  /**
   * Set by logout, by ending it from the list, by a new password, and when one of its tokens is
   * used twice.
   */
  @Column('timestamptz', { nullable: true }) readonly revokedAt!: Date | null;
  /**
   * The tenant that its tokens are for; where the person is no longer in it, the one that they
   * joined first.
   */
  @Column('uuid', { nullable: true }) readonly activeTenantId!: string | null;
}

/**
 * A refresh token that was handed out; used ones stay until they expire, so that a second use is
 * noticed. An access token that was minted without a refresh token (another tenant made active, an
 * impersonation) has a row too, without a hash: its jti leads to the session in the same way.
 */
@Entity('refresh_tokens')
@Unique('refresh_tokens_token_hash_key', ['tokenHash'])
@Index('refresh_tokens_session_id_idx', ['sessionId'])
@Index('refresh_tokens_expires_at_idx', ['expiresAt'])
export class RefreshToken {
  /** Also the jti of the access token that was minted with it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'refresh_tokens_pkey' }) readonly id!: string;
  @ForeignKey(() => Session, { name: 'refresh_tokens_session_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly sessionId!: string;
  /** Null: no refresh token, only the access token. */
  @Column('bytea', { nullable: true }) readonly tokenHash!: Buffer | null;
  @Column('boolean', { default: false }) readonly isRevoked!: boolean;
  @Column('timestamptz') readonly expiresAt!: Date;
}
