import { Injectable } from '@nestjs/common';
import type { User } from '../../users/users.api';
import { PasskeyRepository } from '../data/passkey.repository';

/** Looks whether a user can prove a second factor. */
@Injectable()
export class ProvingFactors {
  constructor(private readonly passkeys: PasskeyRepository) {}

  /** Whether the account has an authenticator app or a passkey, which counts as two factors. */
  async exist({ id, hasSecondFactor }: Pick<User, 'id' | 'hasSecondFactor'>): Promise<boolean> {
    return hasSecondFactor || this.passkeys.existsFor(id);
  }
}
