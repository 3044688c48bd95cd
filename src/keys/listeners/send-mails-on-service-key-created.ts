import { Injectable, type OnModuleInit } from '@nestjs/common';
import { securityMailNow } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { TenantOwners } from '../../tenants/tenants.api';
import { ApiKeyCreated } from '../keys.events';

/**
 * Tells the person who created a key of a service account, and the Owner, of the key: it is a
 * lasting way into the tenant.
 */
@Injectable()
export class SendMailsOnServiceKeyCreated implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(ApiKeyCreated, async (created) => {
      const owners = await this.tenantOwners.of(created.map(({ tenantId }) => tenantId!));
      const now = this.clock.now();
      for (const { by, tenantId } of created) {
        const owner = owners.get(tenantId!)!;
        const details = { what: owner.tenantName };
        await this.jobs.enqueue(securityMailNow(by.userId!, 'service-key-created', now, details));
        if (owner.userId !== by.userId)
          await this.jobs.enqueue(securityMailNow(owner.userId, 'service-key-created-by-another', now, details));
      }
    });
  }
}
