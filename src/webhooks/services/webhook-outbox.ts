import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { DomainEvent } from '../../platform/domain-events';
import { currentContext } from '../../platform/observability/request-context';
import { publicEvents, publicMessagesOf } from '../../platform/public-events';
import { WebhookMessageRepository } from '../data/webhook-message.repository';
import { WebhookMessage } from '../domain/webhook-message';

/** Stores public events for the webhooks of their tenants. */
@Injectable()
export class WebhookOutbox {
  private readonly catalogue = publicEvents();

  constructor(
    private readonly messages: WebhookMessageRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores what endpoints want, in the transaction of the events. Where the tenant's row is locked,
   * the lock has said whether there is any endpoint: without one, nothing is sent to the database.
   */
  async add(events: readonly DomainEvent[]): Promise<void> {
    const { tenant } = currentContext();
    if (tenant && tenant.webhookTypes === null) return;
    const now = this.clock.now();
    const messages = events
      .flatMap((event) => publicMessagesOf(event, this.catalogue, now))
      .filter(({ type }) => !tenant?.webhookTypes || wants(tenant.webhookTypes, type));
    if (messages.length > 0) await this.messages.addWanted(messages.map((message) => WebhookMessage.of(message, now)));
  }
}

const wants = (types: readonly string[], type: string) => types.includes('*') || types.includes(type);
