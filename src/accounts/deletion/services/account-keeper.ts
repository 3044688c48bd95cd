import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../../platform/domain-events';
import { UserRepository } from '../../../users/users.api';
import { AccountDeletionCanceled, type CancelReason } from '../../accounts.events';

/** Cancels the planned deletion of an account. */
@Injectable()
export class AccountKeeper {
  constructor(
    private readonly users: UserRepository,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Keeps an account, inside a transaction. The lock on the account decides between this and its
   * deletion.
   * @returns whether the account exists; also if no deletion was planned
   */
  async keep(userId: string, reason: CancelReason): Promise<boolean> {
    const user = await this.users.lock(userId);
    if (!user?.keep()) return user !== null;
    await this.users.save(user);
    await this.events.publish(new AccountDeletionCanceled(userId, reason));
    return true;
  }
}
