import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { RemoveWebhookEndpoint } from '../commands/remove-webhook-endpoint';
import { WebhookEndpointDeleted } from '../webhooks.events';

/** Enqueues the removal of a deleted endpoint. */
@Injectable()
export class RemoveOnWebhookDeleted implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(WebhookEndpointDeleted, (events) =>
      this.jobs.enqueueAll(
        events.map(({ endpoint: { tenantId, id } }) => ({ command: new RemoveWebhookEndpoint(tenantId, id) })),
      ),
    );
  }
}
