import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deviceKind } from '../../../auth/auth.api';
import { DomainEvents } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { currentContext } from '../../../platform/observability/request-context';
import { EmailChanged, EmailChangeUndone } from '../../accounts.events';
import { SendEmailChangedMail } from '../commands/send-email-changed-mail';
import { SendEmailChangeUndoneMail } from '../mails/email-change-undone.mail';

/** Enqueues the email to the address that an account no longer has. */
@Injectable()
export class EnqueueMailOnEmailChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(EmailChanged, ([{ changeId }]) =>
      this.jobs.enqueue(new SendEmailChangedMail(changeId, deviceKind(currentContext().userAgent))),
    );
    this.events.on(EmailChangeUndone, ([{ lostEmail }]) => this.jobs.enqueue(new SendEmailChangeUndoneMail(lostEmail)));
  }
}
