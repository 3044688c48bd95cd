import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { PurgeDeletedTenant } from '../commands/purge-deleted-tenant';
import { TenantDeleted } from '../tenants.events';

/** Removes the rows of a deleted tenant, which are hidden until then. */
@Injectable()
export class EnqueuePurgeOnTenantDeleted implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(TenantDeleted, (deleted) =>
      this.jobs.enqueueAll(deleted.map(({ target }) => ({ command: new PurgeDeletedTenant(target.id) }))),
    );
  }
}
