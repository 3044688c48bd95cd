import { Injectable } from '@nestjs/common';
import { UserRepository, type User } from '../../../users/users.api';
import { EmailChangeRepository } from '../../email-change/data/email-change.repository';

/** Reads by which addresses the traces of an account are found. */
@Injectable()
export class AddressesOfAccount {
  constructor(
    private readonly users: UserRepository,
    private readonly changes: EmailChangeRepository,
  ) {}

  /**
   * The current address and the stored earlier ones, without those that belong to somebody else by
   * now; inside a transaction that has locked the account.
   */
  async list({ id, email }: User): Promise<string[]> {
    const addresses = [email];
    for (const { oldEmail } of await this.changes.list(id)) {
      const isKnown = addresses.includes(oldEmail) || (await this.users.findByEmail(oldEmail))?.isEmailVerified;
      if (!isKnown) addresses.push(oldEmail);
    }
    return addresses;
  }
}
