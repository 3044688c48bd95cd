import { Injectable } from '@nestjs/common';
import { CacheableMemory } from 'cacheable';
import { addSeconds, Clock, HOUR } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import { Vault } from '../../platform/vault';
import type { SignedReceiver } from '../domain/signed-receiver';
import { newWebhookKeys, publicKeyOf, signingKeysOf, type SigningKeys, type WebhookKeys } from '../domain/webhook-keys';
import { WebhookFailures } from '../webhooks.failures';

/** Receivers whose decrypted keys stay in memory: decryption takes longer than signing. */
const MOST_OPENED = 1000;

/** Creates and opens the keys of receivers, sealed together in their row, the newest first. */
@Injectable()
export class EndpointKeys {
  /** Opened keys by their sealed form, which each change replaces. */
  private readonly opened = new CacheableMemory({ lruSize: MOST_OPENED, useClone: false, storeHashSize: 1 });

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /**
   * Replaces the keys of a locked receiver. CONFLICT while those that were replaced before still
   * sign, because they would end earlier than promised; without an overlap all earlier ones end.
   * @param overlapHours how long the present ones stay in force; 0: they end now
   * @returns the secret for the receiver, which is shown once
   */
  replace(receiver: SignedReceiver, overlapHours: number): Result<string, 'CONFLICT'> {
    const now = this.clock.now();
    if (overlapHours === 0) return ok(this.renew(receiver, null));
    if (receiver.hasOldKeys(now)) return err(WebhookFailures.secretReplaced);
    return ok(this.renew(receiver, addSeconds(now, overlapHours * HOUR)));
  }

  /**
   * Gives a receiver new keys.
   * @param oldUntil until when the present ones stay in force; null: they end now
   * @returns the secret for the receiver, which is shown once
   */
  renew(receiver: SignedReceiver, oldUntil: Date | null): string {
    const keys = newWebhookKeys();
    const old = oldUntil ? this.stored(receiver).slice(0, 1) : [];
    const sealed = this.vault.seal(receiver.keysPlace, JSON.stringify([keys, ...old]));
    receiver.setKeys(sealed, publicKeyOf(keys), oldUntil);
    return keys.secret;
  }

  /** The keys in force, the newest first. */
  inForce(receiver: SignedReceiver): SigningKeys[] {
    return this.signingKeys(receiver).slice(0, receiver.hasOldKeys(this.clock.now()) ? 2 : 1);
  }

  private signingKeys(receiver: SignedReceiver): readonly SigningKeys[] {
    const known = this.opened.get<readonly SigningKeys[]>(receiver.keysEnc);
    if (known) return known;
    const keys = this.stored(receiver).map(signingKeysOf);
    this.opened.set(receiver.keysEnc, keys);
    return keys;
  }

  private stored(receiver: SignedReceiver): WebhookKeys[] {
    return JSON.parse(this.vault.open(receiver.keysPlace, receiver.keysEnc)) as WebhookKeys[];
  }
}
