import { randomBytes } from 'node:crypto';
import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../../users/users.api';

/** WebAuthn Level 3, section 14.6.1: the length that it recommends. */
const BYTES = 64;

/**
 * The random name by which authenticators know a user. It stays the same, so that an authenticator
 * replaces the passkey that it has of the same user. It says nothing about the user.
 */
@Entity('user_handles')
@Unique('user_handles_handle_key', ['handle'])
export class UserHandle {
  @ForeignKey(() => User, { name: 'user_handles_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_handles_pkey' })
  readonly userId!: string;
  @Column('bytea') readonly handle!: Buffer;

  static create(userId: string): UserHandle {
    return Object.assign(new UserHandle(), { userId, handle: randomBytes(BYTES) });
  }
}
