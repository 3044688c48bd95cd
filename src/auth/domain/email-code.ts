import { randomInt } from 'node:crypto';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MINUTE, addSeconds } from '../../platform/clock';
import { User } from '../../users/users.api';

/** Lifetime of a code in seconds. */
const CODE_SECONDS = 10 * MINUTE;
/** How many codes can be tried before a new one must be requested. */
export const MAX_CODE_ATTEMPTS = 3;
const DIGITS = 6;

/** What an emailed code allows. */
export type CodePurpose = 'step-up' | 'email-change';

/**
 * An emailed code of 6 digits. A newer one of the same purpose replaces it once its email was sent.
 * Only a keyed hash is stored, because so few digits could be found from a plain one.
 */
@Entity('email_codes')
@Index('email_codes_expires_at_idx', ['expiresAt'])
export class EmailCode {
  @ForeignKey(() => User, { name: 'email_codes_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'email_codes_pkey' })
  readonly userId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'email_codes_pkey' }) readonly purpose!: CodePurpose;
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'email_codes_pkey' }) readonly codeHash!: Buffer;
  @Column('integer') readonly attempts!: number;
  @Column('timestamptz') readonly expiresAt!: Date;

  static issue(userId: string, purpose: CodePurpose, codeHash: Buffer, now: Date): EmailCode {
    const expiresAt = addSeconds(now, CODE_SECONDS);
    return Object.assign(new EmailCode(), { userId, purpose, codeHash, attempts: 0, expiresAt });
  }
}

/** Six random digits. */
export const newEmailCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
