import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addSeconds, Clock, DAY } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { OrphanRepository } from '../data/orphan.repository';
import { DAYS_UNTIL_DISABLED, REMINDER_DAYS } from '../domain/orphaned-resource';
import { OrphanMails } from '../services/orphan-mails';
import { DisableOrphan } from './disable-orphan';

/** Rows per run of each step. */
const BATCH = 200;

/**
 * Once a day, of all tenants: reminds Owners of orphaned resources that are disabled in three days,
 * and enqueues the disabling of those that nobody took over, three days after the reminder at the
 * earliest. Enqueues itself again while there is more.
 */
@Job('remind-of-orphans')
@Schedule('41 4 * * *')
export class RemindOfOrphans extends Command<Result> {}

@CommandHandler(RemindOfOrphans)
export class RemindOfOrphansHandler implements ICommandHandler<RemindOfOrphans> {
  constructor(
    private readonly orphans: OrphanRepository,
    private readonly mails: OrphanMails,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const now = this.clock.now();
    const daysAgo = (days: number) => addSeconds(now, -days * DAY);
    return this.unitOfWork.acrossTenants(async () => {
      const due = await this.orphans.listDue(daysAgo(DAYS_UNTIL_DISABLED), daysAgo(REMINDER_DAYS), BATCH);
      const expiring = await this.orphans.markReminded(daysAgo(DAYS_UNTIL_DISABLED - REMINDER_DAYS), now, BATCH);
      for (const tenantId of new Set(expiring.map((orphan) => orphan.tenantId))) {
        const ids = expiring.flatMap((orphan) => (orphan.tenantId === tenantId ? orphan.id : []));
        await this.mails.tellOwner('resources-expiring', await this.orphans.list(tenantId, now, ids));
      }
      for (const { tenantId, id } of due)
        await this.jobs.enqueue(new DisableOrphan(tenantId, id), `disable-orphan:${id}`);
      if (Math.max(due.length, expiring.length) === BATCH) await this.jobs.enqueue(new RemindOfOrphans());
      return ok();
    });
  }
}
