import { Injectable } from '@nestjs/common';
import { err, type Result } from '../../platform/result';
import { AuthFailures } from '../auth.failures';

type Restored = Result<void, 'EMAIL_TAKEN' | 'RESET_TOKEN_EXPIRED' | 'RESET_TOKEN_INVALID'>;

/**
 * Gives an account an earlier address back, and does something more in the same transaction.
 * RESET_TOKEN_INVALID if the change can no longer be undone; EMAIL_TAKEN if another account has the
 * address; what `more` fails with.
 */
type Restore = (userId: string, address: string, more: () => Promise<Restored>) => Promise<Restored>;

/**
 * The addresses that accounts had before. The accounts module, which is a later one, knows them.
 */
@Injectable()
export class EarlierAddresses {
  private source: Restore = () => Promise.resolve(err(AuthFailures.resetInvalid));

  useSource(source: Restore): void {
    this.source = source;
  }

  restore: Restore = (userId, address, more) => this.source(userId, address, more);
}
