import { Injectable } from '@nestjs/common';
import { Vault, type SealedPlace } from '../../platform/vault';

const placeOf = (userId: string): SealedPlace => ({ table: 'totp_factors', column: 'secret_enc', id: userId });

/** Seals the secrets of authenticator apps, bound to the row of their user. */
@Injectable()
export class TotpSecrets {
  constructor(private readonly vault: Vault) {}

  seal(userId: string, secret: Buffer): string {
    return this.vault.seal(placeOf(userId), secret.toString('hex'));
  }

  /** @throws if the text was not sealed for this user, or its key is missing */
  open(userId: string, sealed: string): Buffer {
    return Buffer.from(this.vault.open(placeOf(userId), sealed), 'hex');
  }
}
