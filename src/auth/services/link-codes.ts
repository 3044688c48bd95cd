import { createHmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { derivedKey } from '../../platform/derived-key';

const DIGITS = 6;

/**
 * The codes that replace mailed links in the browser that asked for them. A code follows from the
 * hash of its link and a key of the service, so that none is stored.
 */
@Injectable()
export class LinkCodes {
  private readonly secret: KeyObject;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry codes of sign-in links');
  }

  /** Six digits. */
  of(tokenHash: Buffer): string {
    const digest = createHmac('sha256', this.secret).update(tokenHash).digest();
    return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
  }
}
