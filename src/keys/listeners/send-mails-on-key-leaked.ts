import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SendSecurityMail } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { Membership, TenantOwners } from '../../tenants/tenants.api';
import type { ApiKey } from '../domain/api-key';
import { ApiKeyLeaked } from '../keys.events';

/**
 * Tells people of a key that was found in public and revoked: of a personal token its person, of a
 * key of a service account the Owner, and who created it if they are still a member.
 */
@Injectable()
export class SendMailsOnKeyLeaked implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tenantOwners: TenantOwners,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(ApiKeyLeaked, async (leaked) => {
      const owners = await this.tenantOwners.of(leaked.map(({ key }) => key.tenantId));
      const at = this.clock.now().toISOString();
      for (const { key, url } of leaked) {
        const owner = owners.get(key.tenantId);
        if (!owner) continue; // the tenant is being deleted
        const facts = { at, what: owner.tenantName, where: url ?? undefined };
        for (const userId of await this.recipientsOf(key, owner.userId))
          await this.jobs.enqueue(new SendSecurityMail(userId, 'key-leaked', facts));
      }
    });
  }

  private async recipientsOf({ tenantId, userId, createdBy }: ApiKey, ownerId: string): Promise<string[]> {
    if (userId !== null) return [userId];
    if (createdBy === null || createdBy === ownerId) return [ownerId];
    const isMember = await this.unitOfWork.manager.existsBy(Membership, { tenantId, userId: createdBy });
    return isMember ? [ownerId, createdBy] : [ownerId];
  }
}
