import { createHmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { derivedKey } from '../../platform/derived-key';

/**
 * The tokens of invitations. A token follows from the id of its invitation and a key of the
 * service, so that every email about it contains the same link: sending it again voids none that
 * was delivered. Only its hash is stored.
 */
@Injectable()
export class InvitationTokens {
  private readonly secret: KeyObject;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry invitations');
  }

  /** 256 bits as URL-safe base64, as `newSecretToken` makes them. */
  of(invitationId: string): string {
    return createHmac('sha256', this.secret).update(invitationId).digest('base64url');
  }
}
