import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { newId } from '../../platform/ids';
import { Jobs } from '../../platform/jobs/jobs';
import { SendWebhookDisabledMail } from '../mails/webhook-disabled.mail';
import { WebhookEndpointDisabled } from '../webhooks.events';

/** Enqueues an email to the Owner about an endpoint that was disabled. */
@Injectable()
export class SendMailOnWebhookDisabled implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(WebhookEndpointDisabled, (events) =>
      this.jobs.enqueueAll(
        events.map(({ endpoint: { tenantId, host, disabledWhy } }) => {
          const endpoint = { tenantId, host, why: disabledWhy };
          return { command: new SendWebhookDisabledMail(newId(), endpoint) };
        }),
      ),
    );
  }
}
