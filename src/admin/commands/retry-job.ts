import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../edge/actor';
import type { Result } from '../../platform/result';
import { JobDesk } from '../job-desk';

/** Has a job tried again now, with all its attempts, also one that has run out of them. NOT_FOUND; CONFLICT while it is being worked. */
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
  constructor(private readonly desk: JobDesk) {}

  execute({ actor, jobId }: RetryJob) {
    return this.desk.change(
      actor,
      jobId,
      'job.retried',
      'SELECT id FROM graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at := now(), attempts := 0)',
    );
  }
}
