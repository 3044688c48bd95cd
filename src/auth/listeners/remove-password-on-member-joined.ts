import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { MemberJoined } from '../../tenants/tenants.api';
import { RemoveDoubtfulPassword } from '../commands/remove-doubtful-password';

/** Has a password that a stranger may have set removed when its account joins a tenant. */
@Injectable()
export class RemovePasswordOnMemberJoined implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberJoined, (events) =>
      this.jobs.enqueueAll(events.map(({ userId }) => ({ command: new RemoveDoubtfulPassword(userId) }))),
    );
  }
}
