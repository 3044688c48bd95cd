import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { newIdAt } from '../../platform/ids';
import { User } from '../../users/users.api';
import type { SecurityFacts, SecurityNotice } from '../mails/security.mail';

/** What the limit of emails counts together: a recipient, a kind of event and its object. */
export interface NoticeTopic {
  readonly userId: string;
  readonly notice: SecurityNotice;
  /** The object, such as the name of a workspace; undefined: the account. */
  readonly about: string | undefined;
}

/** An event whose email a limit has postponed: the next email on the topic reports it. */
@Entity('postponed_notices')
@Index('postponed_notices_user_id_idx', ['userId'])
@Index('postponed_notices_created_at_idx', ['createdAt'])
export class PostponedNotice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'postponed_notices_pkey' }) readonly id!: string;
  @ForeignKey(() => User, { name: 'postponed_notices_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly userId!: string;
  @Column('text') readonly notice!: SecurityNotice;
  /** The object of the topic; empty if it has none. */
  @Column('text') readonly about!: string;
  @Column('jsonb') readonly facts!: SecurityFacts;
  @Column('timestamptz') readonly createdAt!: Date;

  static of({ userId, notice, about = '' }: NoticeTopic, facts: SecurityFacts, now: Date): PostponedNotice {
    const id = newIdAt(now);
    return Object.assign(new PostponedNotice(), { id, userId, notice, about, facts, createdAt: now });
  }
}
