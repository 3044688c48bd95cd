import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { DAY, addSeconds } from '../../../platform/clock';
import { newId } from '../../../platform/ids';
import { err, ok, type Result } from '../../../platform/result';
import { User } from '../../../users/users.api';
import { AccountFailures } from '../../accounts.failures';

/** For how long a change can be undone, from when the email about it is sent. */
const UNDO_SECONDS = 3 * DAY;
/** The most changes of an account that can be undone at a time. */
export const MAX_OPEN_CHANGES = 5;

/** Until when a change can be undone that is reported now. */
export const undoUntil = (now: Date): Date => addSeconds(now, UNDO_SECONDS);

/**
 * A change of the address of an account, which the owner of the earlier mailbox can undo. It is
 * deleted when it is undone, and 30 days after it no longer can be.
 */
@Entity('email_changes')
@Unique('email_changes_user_id_number_key', ['userId', 'number'])
@Unique('email_changes_undo_token_hash_key', ['undoTokenHash'])
@Index('email_changes_undo_until_idx', ['undoUntil'])
export class EmailChange {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'email_changes_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'email_changes_user_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', update: false })
  readonly userId!: string;
  /** The order of the changes of an account: clocks of several instances may differ. */
  @Column({ type: 'integer', update: false }) readonly number!: number;
  /** The address before the change. */
  @Column({ type: 'text', update: false }) readonly oldEmail!: string;
  @Column({ type: 'timestamptz', update: false }) readonly changedAt!: Date;
  @Column('timestamptz') readonly undoUntil!: Date;
  /** Null until the email with the token is sent. */
  @Column('bytea', { nullable: true }) readonly undoTokenHash!: Buffer | null;

  /** @param earlier the changes of the account that are still stored */
  static record({ id, email }: User, earlier: readonly EmailChange[], now: Date): EmailChange {
    return Object.assign(new EmailChange(), {
      id: newId(),
      userId: id,
      number: Math.max(0, ...earlier.map(({ number }) => number)) + 1,
      oldEmail: email,
      changedAt: now,
      undoUntil: undoUntil(now),
      undoTokenHash: null,
    });
  }

  /** UNDO_TOKEN_EXPIRED if it can no longer be undone. */
  checkUndo(now: Date): Result<void, 'UNDO_TOKEN_EXPIRED'> {
    return this.undoUntil > now ? ok() : err(AccountFailures.undoExpired);
  }
}
