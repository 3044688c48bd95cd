import { Injectable } from '@nestjs/common';
import { AuditLogRepository } from '../../audit/audit.api';
import type { Actor } from '../../http/access/actor';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AdminCheck } from '../../users/users.api';
import { AdminFailures } from '../admin.failures';

/**
 * What can be done to the jobs $1, by one of the worker's own functions, which leave a job alone
 * that is being worked.
 */
export interface JobChange {
  /** As the audit log has it. */
  readonly action: string;
  readonly sql: string;
}

/** The outcome of a change of several jobs: every id that was given, in one of the lists. */
export interface JobsChanged {
  readonly changed: readonly string[];
  /** Running right now, and therefore left unchanged. */
  readonly running: readonly string[];
  /** Not in the queue. */
  readonly missing: readonly string[];
}

interface Job {
  readonly id: string;
  readonly task: string;
  readonly isRunning: boolean;
}

/** In one order, so that two who change several never wait in a circle. */
const LOCK = `
  SELECT j.id::text, t.identifier AS task, j.locked_at IS NOT NULL AS "isRunning"
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.id = ANY($1::bigint[]) ORDER BY j.id FOR UPDATE OF j`;

/** Where operators change what is in the queue, and it is written down. */
@Injectable()
export class JobAdmin {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly adminCheck: AdminCheck,
    private readonly auditLogRepository: AuditLogRepository,
  ) {}

  /**
   * Does something to one job.
   * @returns NOT_FOUND; CONFLICT while the job is being worked; FORBIDDEN for who is an admin by an
   * old token only
   */
  async change(actor: Actor, jobId: string, change: JobChange): Promise<Result> {
    const changed = await this.changeAll(actor, [jobId], change);
    if (!changed.ok) return changed;
    if (changed.value.missing.length > 0) return err(PlatformFailures.notFound);
    return changed.value.running.length > 0 ? err(AdminFailures.jobIsRunning) : ok();
  }

  /**
   * Does it to all of them that are there and not being worked.
   * @returns what has become of each, once, in the order in which they are named; FORBIDDEN for who
   * is an admin by an old token only
   */
  changeAll(actor: Actor, jobIds: readonly string[], change: JobChange): Promise<Result<JobsChanged>> {
    const ids = [...new Set(jobIds.map((id) => BigInt(id).toString()))];
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const jobs = new Map((await this.unitOfWork.query<Job>(LOCK, [ids])).map((job) => [job.id, job]));
      const idle = ids.flatMap((id) => jobs.get(id) ?? []).filter(({ isRunning }) => !isRunning);
      if (idle.length > 0) await this.changeIdle(actor, idle, change);
      return ok({
        changed: idle.map(({ id }) => id),
        running: ids.filter((id) => jobs.get(id)?.isRunning),
        missing: ids.filter((id) => !jobs.has(id)),
      });
    });
  }

  private async changeIdle(actor: Actor, jobs: readonly Job[], { action, sql }: JobChange): Promise<void> {
    await this.unitOfWork.query(sql, [jobs.map(({ id }) => id)]);
    await this.auditLogRepository.append(
      jobs.map(({ id, task }) => ({ action, by: actor, tenantId: null, target: { type: 'job', id }, data: { task } })),
    );
  }
}
