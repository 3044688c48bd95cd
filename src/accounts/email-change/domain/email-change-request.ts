import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DAY, addSeconds, secondsBetween } from '../../../platform/clock';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { User } from '../../../users/users.api';

/**
 * Codes that an account can request within the window. Each can be tried three times, so this also
 * limits how often the code of a foreign mailbox can be guessed.
 */
const MAX_REQUESTS = 10;
const WINDOW_SECONDS = DAY;

/** The address that a user wants to change to, and how many codes they requested. */
@Entity('email_change_requests')
@Index('email_change_requests_since_idx', ['since'])
export class EmailChangeRequest {
  @ForeignKey(() => User, { name: 'email_change_requests_user_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'email_change_requests_pkey' })
  readonly userId!: string;
  /** The newest address: a code that was sent to another one is refused. */
  @Column('text') email!: string;
  @Column('integer') requests!: number;
  /** When the first of them was made. */
  @Column('timestamptz') since!: Date;

  static start(userId: string, email: string, now: Date): EmailChangeRequest {
    return Object.assign(new EmailChangeRequest(), { userId, email, requests: 1, since: now });
  }

  /** A request for another code. RATE_LIMITED, with the seconds until the next one is admitted. */
  repeat(email: string, now: Date): Result<void, 'RATE_LIMITED'> {
    const until = addSeconds(this.since, WINDOW_SECONDS);
    if (until <= now) Object.assign(this, { requests: 0, since: now });
    if (this.requests >= MAX_REQUESTS)
      return err({ ...PlatformFailures.rateLimited, retryAfter: secondsBetween(now, until) });
    this.requests += 1;
    this.email = email;
    return ok();
  }

  /** Requests of a window that began until this time no longer count. */
  static endOfCount(now: Date): Date {
    return addSeconds(now, -WINDOW_SECONDS);
  }
}
