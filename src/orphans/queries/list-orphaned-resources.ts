import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { Page } from '../../platform/pagination';
import { onePage } from '../../platform/personal-data';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { OrphanRepository } from '../data/orphan.repository';
import { orphanName } from '../domain/orphan-name';
import { disabledFrom } from '../domain/orphaned-resource';
import type { OrphanedResourceView } from '../http/views/orphans.views';

/**
 * Lists what members have left in the active tenant and still works, the oldest first. It has one
 * page, because the limits of service accounts, endpoints and streams bound it.
 */
export class ListOrphanedResources extends Query<Result<Page<OrphanedResourceView>, 'NOT_FOUND'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(ListOrphanedResources)
export class ListOrphanedResourcesHandler implements IQueryHandler<ListOrphanedResources> {
  constructor(
    private readonly orphans: OrphanRepository,
    private readonly users: UserRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor }: ListOrphanedResources) {
    return this.unitOfWork.inTenant(actor, async () => {
      const orphans = await this.orphans.list(actor.tenantId, this.clock.now());
      const names = await this.users.namesOf(orphans.flatMap(({ leftBy }) => leftBy ?? []));
      const items = orphans.map((orphan) => {
        const { id, kind, resourceId, leftBy, leftAt, permissions } = orphan;
        const leftByName = (leftBy && names.get(leftBy)) ?? null;
        const shown = { id, kind, resourceId, name: orphanName(orphan), leftBy, leftByName, leftAt, permissions };
        return { ...shown, disabledAt: disabledFrom(leftAt) } as OrphanedResourceView;
      });
      return ok(onePage(items) as Page<OrphanedResourceView>);
    });
  }
}
