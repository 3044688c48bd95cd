import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { DatabaseFunction } from '../../platform/database/database-function';
import type { Result } from '../../platform/result';
import { JobRetried } from '../admin.events';
import { JobAdmin, type JobChange } from '../services/job-admin';

/** Retries jobs at once with all their attempts. */
export const RETRY: JobChange = {
  change: new DatabaseFunction<{ id: string }>('graphile_worker.reschedule_jobs', { id: 'id' }),
  parameters: ['now', null, 0], // run_at by the clock of PostgreSQL, priority, attempts
  event: (by, job) => new JobRetried(by, job),
};

/**
 * Retries a job at once with all its attempts, even if it had run out of them. NOT_FOUND; CONFLICT
 * while it is running.
 */
export class RetryJob extends Command<Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly jobId: string,
  ) {
    super();
  }
}

@CommandHandler(RetryJob)
export class RetryJobHandler implements ICommandHandler<RetryJob> {
  constructor(private readonly jobAdmin: JobAdmin) {}

  execute({ actor, jobId }: RetryJob) {
    return this.jobAdmin.change(actor, jobId, RETRY);
  }
}
