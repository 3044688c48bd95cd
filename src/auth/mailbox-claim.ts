import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { Jobs } from '../platform/jobs';
import { UserRepository, type User } from '../users/users.contract';
import { SendPasswordRemovedMail } from './commands/send-password-removed-mail';
import { SessionRepository } from './data/session.repository';

/**
 * What happens to an unverified account when the owner of its mailbox is here (contract section 3, proof of the mailbox): somebody who knew the
 * address may have registered it first, to come in later with the password they set ("pre-hijacking").
 */
@Injectable()
export class MailboxClaim {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies the account, which this transaction has locked, and takes its password and sessions away; the owner is told by mail. A verified one stays
   * as it is.
   * @returns whether a password was taken away
   */
  async claim(user: User): Promise<boolean> {
    if (user.isEmailVerified) return false;
    const hadPassword = user.passwordHash !== null;
    user.claimByMailbox(this.clock.now());
    await this.users.save(user);
    await this.sessions.revokeAll(user.id, this.clock.now(), 'mailbox-claimed');
    if (hadPassword) await this.jobs.later(new SendPasswordRemovedMail(user.email, user.name));
    return hadPassword;
  }
}
