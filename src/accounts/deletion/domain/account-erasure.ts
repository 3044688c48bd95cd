import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { addSeconds, DAY } from '../../../platform/clock';
import type { ErasedPerson } from '../../../platform/erasure-steps';

/** Seconds after the deletion in which the last email is tried. */
const MAIL_SECONDS = 3 * DAY;
/** Seconds after the deletion at which the last traces are written, such as counted events. */
export const SETTLED_SECONDS = DAY;

/**
 * What has to be erased after an account was deleted. The addresses are stored until the last email
 * was sent, so that no job contains them; the row until nothing is left to erase.
 */
@Entity('account_erasures')
@Index('account_erasures_erased_at_idx', ['erasedAt'])
export class AccountErasure implements ErasedPerson {
  /** The id of the deleted account. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'account_erasures_pkey' }) readonly userId!: string;
  /** The current one first, which gets the last email. */
  @Column('text', { array: true }) emails!: string[];
  @Column({ type: 'timestamptz', update: false }) readonly erasedAt!: Date;
  @Column({ type: 'uuid', array: true, update: false }) readonly deletedTenantIds!: string[];
  @Column({ type: 'uuid', array: true, update: false }) readonly leftTenantIds!: string[];

  static start(person: ErasedPerson): AccountErasure {
    const { userId, emails, erasedAt, deletedTenantIds, leftTenantIds } = person;
    return Object.assign(new AccountErasure(), { userId, emails, erasedAt, deletedTenantIds, leftTenantIds });
  }

  /** The last email was sent, or cannot be sent. */
  forgetAddresses(): void {
    this.emails = [];
  }

  /** Whether the last email should still be sent. */
  isMailDue(now: Date): boolean {
    return this.emails.length > 0 && addSeconds(this.erasedAt, MAIL_SECONDS) > now;
  }

  /** Whether nothing more can be written about the person. */
  isSettled(now: Date): boolean {
    return this.emails.length === 0 && addSeconds(this.erasedAt, SETTLED_SECONDS) <= now;
  }
}
