import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { CancelWebhookDeliveries } from '../commands/cancel-webhook-deliveries';
import { WebhookEndpointChanged, WebhookEndpointDisabled } from '../webhooks.events';

/** Enqueues a job that gives up what is due of an endpoint that is disabled or not verified. */
@Injectable()
export class CancelDeliveriesOnWebhookDisabled implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const giveUp = (events: readonly (WebhookEndpointChanged | WebhookEndpointDisabled)[]) =>
      this.jobs.enqueueAll(
        events
          .filter(({ endpoint }) => endpoint.isDisabled || !endpoint.isVerified)
          .map(({ endpoint: { tenantId, id } }) => ({ command: new CancelWebhookDeliveries(tenantId, id) })),
      );
    this.events.on(WebhookEndpointChanged, giveUp);
    this.events.on(WebhookEndpointDisabled, giveUp);
  }
}
