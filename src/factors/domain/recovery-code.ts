import { randomBytes } from 'node:crypto';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { digestOf } from '../../platform/secret-token';
import { User } from '../../users/users.api';

/** The alphabet of Douglas Crockford's base 32: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/**
 * 24 characters of 5 bits: 120 bits, so that a fast hash is enough (NIST SP 800-63B-4, 3.1.2.2).
 */
const LENGTH = 24;
const GROUP = 4;
/** How many codes a user gets. */
export const RECOVERY_CODES = 10;

/**
 * A code that replaces a lost factor once. Only its SHA-256 is stored; using it deletes the row.
 */
@Entity('recovery_codes')
export class RecoveryCode {
  @ForeignKey(() => User, { name: 'recovery_codes_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'recovery_codes_pkey' })
  readonly userId!: string;
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'recovery_codes_pkey' }) readonly codeHash!: Buffer;
  @Column('timestamptz') readonly createdAt!: Date;

  static of(userId: string, code: string, now: Date): RecoveryCode {
    return Object.assign(new RecoveryCode(), { userId, codeHash: recoveryCodeHash(code), createdAt: now });
  }
}

/** A new code, in groups of four characters: `8N5T-XK0C-…`. */
export function newRecoveryCode(): string {
  const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters
    .join('')
    .match(new RegExp(`.{${GROUP}}`, 'g'))!
    .join('-');
}

/**
 * What is stored of a code. Case, spaces and hyphens do not matter, nor do O for 0, I or L for 1.
 */
export function recoveryCodeHash(code: string): Buffer {
  const typed = code.toUpperCase().replace(/[\s-]/g, '');
  return digestOf(typed.replaceAll('O', '0').replaceAll(/[IL]/g, '1'));
}
