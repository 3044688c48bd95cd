import { Injectable, type OnModuleInit } from '@nestjs/common';
import { securityMailNow } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { TenantOwners } from '../../tenants/tenants.api';
import { ApiKeyCreated, ApiKeyRotated } from '../keys.events';

/**
 * Informs the person who created or rotated a key of a service account, and the Owner: the key has
 * lasting access to the tenant.
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
    this.events.on(ApiKeyCreated, (created) => this.tell(created));
    this.events.on(ApiKeyRotated, (rotated) => this.tell(rotated));
  }

  private async tell(events: readonly DomainEvent[]): Promise<void> {
    const owners = await this.tenantOwners.of(events.map(({ tenantId }) => tenantId!));
    const now = this.clock.now();
    for (const { by, tenantId } of events) {
      const owner = owners.get(tenantId!)!;
      const details = { what: owner.tenantName };
      await this.jobs.enqueue(securityMailNow(by.userId!, 'service-key-created', now, details));
      if (owner.userId !== by.userId)
        await this.jobs.enqueue(securityMailNow(owner.userId, 'service-key-created-by-another', now, details));
    }
  }
}
