import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import { JobAdmin, type JobChange } from '../services/job-admin';

/** What a job was for does not happen. */
export const DELETE: JobChange = {
  action: 'job.deleted',
  sql: 'SELECT id FROM graphile_worker.complete_jobs($1::bigint[])',
};

/**
 * Takes a job out of the queue: what it was for does not happen. NOT_FOUND; CONFLICT while it is
 * being worked.
 */
export class DeleteJob extends Command<Result> {
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
