import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../../platform/domain-events';
import { Jobs } from '../../../platform/jobs/jobs';
import { PlannedChangeReplaced } from '../../billing.events';
import { cancelPlannedChangeJob } from '../commands/cancel-planned-change';

/** Enqueues a job that drops a planned change which another change has replaced. */
@Injectable()
export class EnqueueCancellationOnPlannedChangeReplaced implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(PlannedChangeReplaced, (events) =>
      this.jobs.enqueueAll(events.map(({ subscriber, planned }) => cancelPlannedChangeJob(subscriber, planned))),
    );
  }
}
