import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit.contract';
import type { Actor } from '../edge/actor';
import { PlatformFailures } from '../platform/platform.failures';
import { err, ok, type Result } from '../platform/result';
import { UnitOfWork } from '../platform/unit-of-work';
import { Admins } from '../users/users.contract';
import { AdminFailures } from './admin.failures';

/** Where operators change what is in the queue, and it is written down. */
@Injectable()
export class JobDesk {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly admins: Admins,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Does something to the job $1 by one of the worker's own functions, which leave a job alone that is being worked.
   * @param sql answers with the jobs that it has changed
   * @returns NOT_FOUND; CONFLICT while the job is being worked; FORBIDDEN for who is an admin by an old token only
   */
  change(actor: Actor, jobId: string, action: string, sql: string): Promise<Result> {
    return this.unitOfWork.run(async () => {
      const allowed = await this.admins.hold(actor.userId);
      if (!allowed.ok) return allowed;
      const job = `
        SELECT t.identifier AS task, j.locked_at IS NOT NULL AS "isRunning"
          FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.id = $1 FOR UPDATE OF j`;
      const [found] = await this.unitOfWork.query<{ task: string; isRunning: boolean }>(job, [jobId]);
      if (!found) return err(PlatformFailures.notFound);
      if (found.isRunning) return err(AdminFailures.jobIsRunning);
      await this.unitOfWork.query(sql, [jobId]);
      await this.audit.append([{ action, by: actor, tenantId: null, target: { type: 'job', id: jobId }, data: { task: found.task } }]);
      return ok();
    });
  }
}
