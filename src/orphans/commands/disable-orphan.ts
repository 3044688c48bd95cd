import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { OrphanRepository } from '../data/orphan.repository';
import { OrphanDisabled } from '../orphans.events';
import { OrphanMails } from '../services/orphan-mails';
import { OrphanResources } from '../services/orphan-resources';

/** Disables what nobody has taken over, and tells the Owner; forgets it if it no longer works. */
@Job('disable-orphan')
export class DisableOrphan extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly orphanId: string,
  ) {
    super();
  }
}

@CommandHandler(DisableOrphan)
export class DisableOrphanHandler implements ICommandHandler<DisableOrphan> {
  constructor(
    private readonly orphans: OrphanRepository,
    private readonly mails: OrphanMails,
    private readonly resources: OrphanResources,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ tenantId, orphanId }: DisableOrphan): Promise<Result> {
    const done = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const orphan = await this.orphans.lock(tenantId, orphanId, this.clock.now());
      await this.orphans.remove(tenantId, orphanId);
      if (!orphan) return ok();
      const changes = await this.resources.disable(orphan);
      await this.events.publish(...changes, new OrphanDisabled(orphan));
      await this.mails.tellOwner('resources-disabled', [orphan]);
      return ok();
    });
    return done.ok ? done : ok(); // the tenant was deleted
  }
}
