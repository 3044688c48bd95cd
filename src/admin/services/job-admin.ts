import { Injectable } from '@nestjs/common';
import type { Actor } from '../../http/access/actor';
import type { DatabaseFunction } from '../../platform/database/database-function';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { AdminFailures } from '../admin.failures';

/** A change that operators can make to jobs of the queue. */
export interface JobChange {
  /** The worker's own function, which takes ids and skips a job that is running. */
  readonly change: DatabaseFunction<{ id: string }>;
  /** Its further parameters. */
  readonly parameters: readonly unknown[];
  readonly event: (by: Actor, job: QueuedJob) => DomainEvent;
}

export interface QueuedJob {
  readonly id: string;
  readonly task: string;
  readonly isRunning: boolean;
}

/** The outcome of a change of several jobs: every id that was given, in one of the lists. */
export interface JobsChanged {
  readonly changed: readonly string[];
  /** Running, and therefore left unchanged. */
  readonly running: readonly string[];
  /** Not in the queue. */
  readonly missing: readonly string[];
}

/** Ordered, so that two operators who change the same jobs do not deadlock. */
const LOCK = `
  SELECT j.id::text, t.identifier AS task, j.locked_at IS NOT NULL AS "isRunning"
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.id = ANY($1::bigint[]) ORDER BY j.id FOR UPDATE OF j`;

/** Changes jobs of the queue for operators and publishes an event for each job changed. */
@Injectable()
export class JobAdmin {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Changes one job.
   * @returns NOT_FOUND; CONFLICT while the job is running; FORBIDDEN if the caller's admin flag was
   * revoked after the token was issued
   */
  change(
    actor: Actor,
    jobId: string,
    change: JobChange,
  ): Promise<Result<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>> {
    return this.unitOfWork.transaction<void, 'CONFLICT' | 'FORBIDDEN' | 'NOT_FOUND'>(async () => {
      const changed = await this.changeAll(actor, [jobId], change);
      if (!changed.ok) return changed;
      if (changed.value.missing.length > 0) return err(PlatformFailures.notFound);
      return changed.value.running.length > 0 ? err(AdminFailures.jobIsRunning) : ok();
    });
  }

  /**
   * Changes all of the jobs that are in the queue and not running.
   * @returns the outcome for each job, without duplicates and in the order of `jobIds`; FORBIDDEN
   * if the caller's admin flag was revoked after the token was issued
   */
  changeAll(actor: Actor, jobIds: readonly string[], change: JobChange): Promise<Result<JobsChanged, 'FORBIDDEN'>> {
    const ids = [...new Set(jobIds.map((id) => BigInt(id).toString()))];
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const jobs = new Map((await this.unitOfWork.query<QueuedJob>(LOCK, [ids])).map((job) => [job.id, job]));
      const idle = ids.flatMap((id) => jobs.get(id) ?? []).filter(({ isRunning }) => !isRunning);
      if (idle.length > 0) await this.changeIdle(actor, idle, change);
      return ok({
        changed: idle.map(({ id }) => id),
        running: ids.filter((id) => jobs.get(id)?.isRunning),
        missing: ids.filter((id) => !jobs.has(id)),
      });
    });
  }

  private async changeIdle(
    actor: Actor,
    jobs: readonly QueuedJob[],
    { change, parameters, event }: JobChange,
  ): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    await this.unitOfWork.call(change, ids, ...parameters);
    await this.events.publish(...jobs.map((job) => event(actor, job)));
  }
}
