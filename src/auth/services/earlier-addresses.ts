import { Injectable } from '@nestjs/common';

/**
 * Gives an account an earlier address back, in the running transaction across tenants.
 * @returns false if the change can no longer be undone, or another account has the address
 */
type Restore = (userId: string, address: string) => Promise<boolean>;

/**
 * The addresses that accounts had before. The accounts module, which is a later one, knows them.
 */
@Injectable()
export class EarlierAddresses {
  private source: Restore = () => Promise.resolve(false);

  useSource(source: Restore): void {
    this.source = source;
  }

  restore: Restore = (userId, address) => this.source(userId, address);
}
