import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { newId } from '../../platform/ids';
import { Jobs } from '../../platform/jobs/jobs';
import { SendWebhookDisabledMail } from '../../webhooks/webhooks.api';
import { AuditStreamDisabled } from '../audit-streams.events';

/** Enqueues an email to the Owner about a stream that was disabled. */
@Injectable()
export class SendMailOnAuditStreamDisabled implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(AuditStreamDisabled, (events) =>
      this.jobs.enqueueAll(
        events.map(({ stream: { tenantId, host, disabledWhy } }) => {
          const receiver = { tenantId, host, why: disabledWhy, isStream: true };
          return { command: new SendWebhookDisabledMail(newId(), receiver) };
        }),
      ),
    );
  }
}
