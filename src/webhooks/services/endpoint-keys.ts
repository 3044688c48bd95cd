import { Injectable } from '@nestjs/common';
import { CacheableMemory } from 'cacheable';
import { Clock } from '../../platform/clock';
import { Vault } from '../../platform/vault';
import type { SignedReceiver } from '../domain/signed-receiver';
import { newWebhookKeys, publicKeyOf, signingKeysOf, type SigningKeys, type WebhookKeys } from '../domain/webhook-keys';

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
    const { oldKeysUntil } = receiver;
    const areOldInForce = oldKeysUntil !== null && oldKeysUntil > this.clock.now();
    return this.signingKeys(receiver).slice(0, areOldInForce ? 2 : 1);
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
