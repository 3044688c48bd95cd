import { Injectable } from '@nestjs/common';
import { UnverifiedAccountDeletion } from '../../../auth/auth.api';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../../platform/result';
import { UserFailures, UserRepository, type User } from '../../../users/users.api';

/** Number of retries when the address is registered at the same time. */
const ATTEMPTS = 3;

/** Gives an account an address whose mailbox was proven. */
@Injectable()
export class EmailClaim {
  constructor(
    private readonly users: UserRepository,
    private readonly unverifiedAccountDeletion: UnverifiedAccountDeletion,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs work that claims an address, in a transaction across tenants. A stranger who registers the
   * address at the same time only makes it run again: then it finds the unverified account.
   */
  async transaction<T, C extends string>(work: () => Promise<Result<T, C>>): Promise<Result<T, C>> {
    for (let attempt = 1; ; attempt++) {
      const done = await this.unitOfWork.acrossTenants(work);
      const isTaken = !done.ok && done.failure.code === UserFailures.emailTaken.code;
      if (!isTaken || attempt === ATTEMPTS) return done;
    }
  }

  /** EMAIL_TAKEN if an account has the address that cannot be deleted for it. */
  async check(email: string): Promise<Result<void, 'EMAIL_TAKEN'>> {
    return toResult(await this.users.findByEmail(email));
  }

  /**
   * Changes the address, and deletes an unverified account that has it (docs/contract.md, Proof of
   * the mailbox); inside `transaction`. EMAIL_TAKEN.
   * @param user locked by this transaction
   */
  async claim(user: User, email: string): Promise<Result<void, 'EMAIL_TAKEN'>> {
    const other = user.email === email ? null : await this.users.lockByEmail(email);
    const allowed = toResult(other);
    if (!allowed.ok) return allowed;
    if (other) await this.unverifiedAccountDeletion.delete([other.id], 'mailbox-claimed');
    user.changeEmail(email);
    return this.users.saveEmail(user);
  }
}

/** A disabled account is kept, because its address could be registered again otherwise. */
const toResult = (other: User | null): Result<void, 'EMAIL_TAKEN'> =>
  other && (other.isEmailVerified || other.disabledAt) ? err(UserFailures.emailTaken) : ok();
