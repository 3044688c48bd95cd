import { Injectable } from '@nestjs/common';
import { AccountRecovery } from '../../../auth/auth.api';
import { DomainEvents } from '../../../platform/domain-events';
import { ok, type Result } from '../../../platform/result';
import type { User } from '../../../users/users.api';
import { EmailChangeUndone } from '../../accounts.events';
import { EmailChangeRepository } from '../data/email-change.repository';
import type { EmailChange } from '../domain/email-change';
import { EmailClaim } from './email-claim';

/** Gives an account back to the owner of an earlier mailbox. */
@Injectable()
export class EmailRestoration {
  constructor(
    private readonly changes: EmailChangeRepository,
    private readonly emailClaim: EmailClaim,
    private readonly accountRecovery: AccountRecovery,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Undoes a change: the address is the earlier one again, later changes can no longer be undone,
   * and only the mailbox gives access (see AccountRecovery); inside a transaction across tenants.
   * EMAIL_TAKEN.
   * @param user locked by this transaction
   */
  async restore(user: User, change: EmailChange): Promise<Result<void, 'EMAIL_TAKEN'>> {
    const lostEmail = user.email;
    const claimed = await this.emailClaim.claim(user, change.oldEmail);
    if (!claimed.ok) return claimed;
    await this.changes.removeFrom(change);
    await this.accountRecovery.recover(user, change.changedAt);
    await this.events.publish(new EmailChangeUndone(user.id, lostEmail));
    return ok();
  }
}
