import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import { JobAdmin } from '../services/job-admin';
import type { JobsChangedView } from '../http/views/job.views';
import { DELETE } from './delete-job';

/**
 * Removes jobs from the queue without running them. Jobs that are running or missing are reported.
 */
export class DeleteJobs extends Command<Result<JobsChangedView, 'FORBIDDEN'>> {
  constructor(
    readonly actor: Actor,
    readonly jobIds: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(DeleteJobs)
export class DeleteJobsHandler implements ICommandHandler<DeleteJobs> {
  constructor(private readonly jobAdmin: JobAdmin) {}

  execute({ actor, jobIds }: DeleteJobs) {
    return this.jobAdmin.changeAll(actor, jobIds, DELETE);
  }
}
