import { Injectable } from '@nestjs/common';
import { addSeconds, Clock, MINUTE } from '../../platform/clock';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookMessageRepository } from '../data/webhook-message.repository';
import { WebhookDelivery } from '../domain/webhook-delivery';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';
import { WebhookMessage } from '../domain/webhook-message';

/** Seconds between two challenges to an endpoint. */
const PAUSE = MINUTE;

/** Asks receivers whether they want the messages of an endpoint (docs/webhooks.md). */
@Injectable()
export class EndpointChallenge {
  constructor(
    private readonly messages: WebhookMessageRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a challenge to an endpoint that this transaction has locked, unless one waits already:
   * at once, or a minute after the last one. Nothing else is sent to it before it is verified, so
   * the last delivery tells when that was.
   */
  async send(endpoint: WebhookEndpoint): Promise<void> {
    const now = this.clock.now();
    const last = await this.deliveries.newest(endpoint);
    const isAgain = last?.isChallenge === true;
    if (isAgain && last.state === 'due') return;
    const message = WebhookMessage.challenge(endpoint.tenantId, endpoint.id, now);
    const delivery = WebhookDelivery.create(message, endpoint, now);
    if (isAgain) delivery.postpone(addSeconds(last.lastAt, PAUSE));
    await this.messages.add(message);
    await this.deliveries.addAll([delivery]);
    await this.messages.announce();
  }
}
