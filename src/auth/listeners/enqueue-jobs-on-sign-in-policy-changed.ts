import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { SignInPolicyChanged } from '../domain/sign-in-policy-events';
import { SendSignInPolicyMails } from '../commands/send-sign-in-policy-mails';

/** Has members told that their tenant will ask for a second factor. */
@Injectable()
export class EnqueueJobsOnSignInPolicyChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SignInPolicyChanged, (events) =>
      this.jobs.enqueueAll(
        events
          .filter(({ needsAnnouncement }) => needsAnnouncement)
          .map(({ policy: { tenantId, secondFactorFrom } }) => ({
            command: new SendSignInPolicyMails(tenantId, secondFactorFrom!.toISOString()),
          })),
      ),
    );
  }
}
