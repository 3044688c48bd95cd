import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import { JobAdmin, type JobChange } from '../services/job-admin';

/** Due now, as if it had never been tried. */
export const RETRY: JobChange = {
  action: 'job.retried',
  sql: 'SELECT id FROM graphile_worker.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0)',
};

/**
 * Has a job tried again now, with all its attempts, also one that has run out of them. NOT_FOUND;
 * CONFLICT while it is being worked.
 */
export class RetryJob extends Command<Result> {
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
