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
   * The current address and the stored earlier ones, without those that belong to another account
   * now; inside a transaction that has locked the account.
   */
  async list({ id, email }: User): Promise<string[]> {
    const earlier = (await this.changes.list(id)).map(({ oldEmail }) => oldEmail);
    const ofOthers = await this.users.listVerifiedEmails(earlier);
    return [...new Set([email, ...earlier.filter((address) => !ofOthers.includes(address))])];
  }
}
