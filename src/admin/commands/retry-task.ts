import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { TaskRetried } from '../admin.events';
import type { CountView } from '../../http/responses/count.views';

/** Jobs that one call retries, and the seconds over which they begin, so that they are no herd. */
const MOST = 10_000;
const SPREAD_SECONDS = 60;

/** Failed jobs of a task, without those that another one has replaced by its key. */
const RETRY = `
  UPDATE graphile_worker._private_jobs SET attempts = 0, updated_at = now(),
         run_at = now() + random() * make_interval(secs => ${SPREAD_SECONDS})
   WHERE id IN (
     SELECT j.id FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = $1 AND j.locked_at IS NULL AND j.attempts > 0
        AND NOT (j.key IS NULL AND coalesce(j.payload->>'isKeyed' = 'true', false))
      ORDER BY j.id LIMIT ${MOST} FOR UPDATE OF j SKIP LOCKED)
  RETURNING 1`;

/**
 * Retries all failed jobs of a task within a minute, with all their attempts: after an outage of
 * the mail server or Stripe. FORBIDDEN if the caller's admin flag was revoked.
 */
export class RetryTask extends Command<Result<CountView, 'FORBIDDEN'>> {
  constructor(
    readonly actor: Actor,
    readonly task: string,
  ) {
    super();
  }
}

@CommandHandler(RetryTask)
export class RetryTaskHandler implements ICommandHandler<RetryTask> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
  ) {}

  execute({ actor, task }: RetryTask) {
    return this.unitOfWork.transaction<CountView, 'FORBIDDEN'>(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const count = (await this.unitOfWork.query(RETRY, [task])).length;
      if (count > 0) await this.events.publish(new TaskRetried(actor, task, count));
      return ok({ count });
    });
  }
}
