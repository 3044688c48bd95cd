import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { DatabaseFunction } from '../../platform/database/database-function';
import type { Result } from '../../platform/result';
import { JobDeleted } from '../admin.events';
import { JobAdmin, type JobChange } from '../services/job-admin';

/** Removes jobs from the queue without running them. */
export const DELETE: JobChange = {
  change: new DatabaseFunction<{ id: string }>('graphile_worker.complete_jobs', { id: 'id' }),
  parameters: [],
  event: (by, job) => new JobDeleted(by, job),
};

/** Removes a job from the queue without running it. NOT_FOUND; CONFLICT while it is running. */
export class DeleteJob extends Command<Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly jobId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteJob)
export class DeleteJobHandler implements ICommandHandler<DeleteJob> {
  constructor(private readonly jobAdmin: JobAdmin) {}

  execute({ actor, jobId }: DeleteJob) {
    return this.jobAdmin.change(actor, jobId, DELETE);
  }
}
