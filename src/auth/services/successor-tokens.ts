import { createHmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { derivedKey } from '../../platform/derived-key';

/**
 * The successors of refresh tokens that are exchanged with an Idempotency-Key. They are computed,
 * so that the same key leads to the same successor again although only hashes are stored. Without
 * the key, which only the client has, nobody can compute one; a dump of the database has neither.
 */
@Injectable()
export class SuccessorTokens {
  private readonly secret: KeyObject;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry successors of refresh tokens');
  }

  /** The secret of the successor, in place of a random one. */
  secretOf(refreshToken: string, key: string): Buffer {
    return createHmac('sha256', this.secret)
      .update(JSON.stringify([refreshToken, key]))
      .digest();
  }
}
