import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { SecondFactorAsked } from '../auth.events';
import { unfinishedSignInReport } from '../commands/report-unfinished-sign-ins';

/** Enqueues the job that reports a sign-in unless its second factor is entered in time. */
@Injectable()
export class ReportSignInOnSecondFactorAsked implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorAsked, (events) =>
      this.jobs.enqueueAll(events.map(({ userId }) => unfinishedSignInReport(userId))),
    );
  }
}
