import { createHmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../config/settings';
import { derivedKey } from '../../../platform/derived-key';
import type { EmailChange } from '../domain/email-change';

/**
 * The tokens that undo changes of an address. A token follows from the id of its change and a key
 * of the service, so that every attempt at the email contains the same one; only its hash is
 * stored.
 */
@Injectable()
export class EmailUndoTokens {
  private readonly secret: KeyObject;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry undo of email changes');
  }

  /** 256 bits as URL-safe base64, as `newSecretToken` makes them. */
  of({ id }: EmailChange): string {
    return createHmac('sha256', this.secret).update(id).digest('base64url');
  }
}
