import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { BillingNoticeIssued } from '../billing.events';
import { SendBillingMail } from '../subscriptions/commands/send-billing-mail';

/** Enqueues an email to the Owner, at the address that the Owner has at this moment. */
@Injectable()
export class SendMailOnBillingNotice implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(BillingNoticeIssued, (events) =>
      this.jobs.enqueueAll(
        events.map(({ notice, owner, plan }) => ({ command: SendBillingMail.about(notice, owner, plan) })),
      ),
    );
  }
}
