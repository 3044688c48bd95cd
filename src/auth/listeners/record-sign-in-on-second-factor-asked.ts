import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { SecondFactorAsked } from '../auth.events';
import { unfinishedSignInRecord } from '../commands/record-unfinished-sign-ins';

/** Enqueues the job that records a sign-in unless its second factor is entered in time. */
@Injectable()
export class RecordSignInOnSecondFactorAsked implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorAsked, (events) =>
      this.jobs.enqueueAll(events.map(({ userId }) => unfinishedSignInRecord(userId))),
    );
  }
}
