import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Vault, type SealedPlace } from '../../platform/vault';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { newWebhookKeys, publicKeyOf, type WebhookKeys } from '../domain/webhook-keys';

const placeOf = ({ tenantId, id }: WebhookEndpoint): SealedPlace => ({
  table: 'webhook_endpoints',
  column: 'keys_enc',
  id: `${tenantId}:${id}`,
});

/** Creates and opens the keys of endpoints, sealed together in their row, the newest first. */
@Injectable()
export class EndpointKeys {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives an endpoint new keys.
   * @param oldUntil until when the present ones stay in force; null: they do not
   * @returns the secret for the receiver, which is shown once
   */
  renew(endpoint: WebhookEndpoint, oldUntil: Date | null): string {
    const keys = newWebhookKeys();
    const old = oldUntil ? this.stored(endpoint).slice(0, 1) : [];
    const sealed = this.vault.seal(placeOf(endpoint), JSON.stringify([keys, ...old]));
    endpoint.setKeys(sealed, publicKeyOf(keys), oldUntil);
    return keys.secret;
  }

  /** The keys in force, the newest first. */
  inForce(endpoint: WebhookEndpoint): WebhookKeys[] {
    const { oldKeysUntil } = endpoint;
    const areOldInForce = oldKeysUntil !== null && oldKeysUntil > this.clock.now();
    return this.stored(endpoint).slice(0, areOldInForce ? 2 : 1);
  }

  private stored(endpoint: WebhookEndpoint): WebhookKeys[] {
    return JSON.parse(this.vault.open(placeOf(endpoint), endpoint.keysEnc)) as WebhookKeys[];
  }
}
