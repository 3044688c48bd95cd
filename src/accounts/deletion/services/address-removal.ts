import { Injectable } from '@nestjs/common';
import { MailRateLimits } from '../../../platform/mail/mail-rate-limits';
import { AccountErasureRepository } from '../data/account-erasure.repository';
import type { AccountErasure } from '../domain/account-erasure';

/** Removes the addresses of a deleted account after the last email to them. */
@Injectable()
export class AddressRemoval {
  constructor(
    private readonly erasures: AccountErasureRepository,
    private readonly mailRateLimits: MailRateLimits,
  ) {}

  /** @param erasure locked by this transaction */
  async remove(erasure: AccountErasure): Promise<void> {
    await this.mailRateLimits.forget(erasure.emails);
    erasure.forgetAddresses();
    await this.erasures.save(erasure);
  }
}
