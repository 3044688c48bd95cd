import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import { JobAdmin } from '../services/job-admin';
import type { JobsChangedView } from '../http/views/job.views';
import { RETRY } from './retry-job';

/**
 * Retries jobs at once with all their attempts, even those that had run out of them. Jobs that are
 * running or missing are reported.
 */
export class RetryJobs extends Command<Result<JobsChangedView, 'FORBIDDEN'>> {
  constructor(
    readonly actor: Actor,
    readonly jobIds: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(RetryJobs)
export class RetryJobsHandler implements ICommandHandler<RetryJobs> {
  constructor(private readonly jobAdmin: JobAdmin) {}

  execute({ actor, jobIds }: RetryJobs) {
    return this.jobAdmin.changeAll(actor, jobIds, RETRY);
  }
}
