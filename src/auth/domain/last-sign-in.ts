import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../users/users.api';
import type { Session, SignIn } from './session';

/**
 * When and how a user signed in last. It outlives the sessions, and is a table of its own, so that
 * a sign-in changes no row of `users` with its indexes.
 */
@Entity('last_sign_ins')
export class LastSignIn {
  @ForeignKey(() => User, { name: 'last_sign_ins_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'last_sign_ins_pkey' })
  readonly userId!: string;
  @Column('timestamptz') readonly at!: Date;
  /** Null for a sign-in before methods were stored. */
  @Column('text', { nullable: true }) readonly method!: SignIn['method'] | null;

  /** The sign-in that started a session. */
  static of({ userId, createdAt }: Session, { method }: SignIn): LastSignIn {
    return Object.assign(new LastSignIn(), { userId, at: createdAt, method });
  }
}
