import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In } from 'typeorm';
import { SendSecurityMail } from '../../auth/auth.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { Membership, TenantOwners } from '../../tenants/tenants.api';
import type { ApiKey } from '../domain/api-key';
import { ApiKeyLeaked } from '../keys.events';

/**
 * Informs people of a key that was found in public and revoked: the owner of a personal token; for
 * a key of a service account the Owner of the tenant, and its creator if still a member.
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
      const keys = leaked.map(({ key }) => key);
      const owners = await this.tenantOwners.of(keys.map(({ tenantId }) => tenantId));
      const members = await this.membersAmongCreators(keys);
      const at = this.clock.now().toISOString();
      await this.jobs.enqueueAll(
        leaked.flatMap(({ key, url }) => {
          const owner = owners.get(key.tenantId);
          if (!owner) return []; // the tenant is being deleted
          const facts = { at, what: owner.tenantName, where: url ?? undefined };
          const recipients = key.userId === null ? [owner.userId, ...creatorOf(key, members)] : [key.userId];
          return [...new Set(recipients)].map((id) => ({ command: new SendSecurityMail(id, 'key-leaked', facts) }));
        }),
      );
    });
  }

  /** The memberships of those who created keys, each as a text. */
  private async membersAmongCreators(keys: readonly ApiKey[]): Promise<ReadonlySet<string>> {
    const [tenantIds, userIds] = [keys.map(({ tenantId }) => tenantId), keys.flatMap((key) => key.createdBy ?? [])];
    const where = { tenantId: In(tenantIds), userId: In(userIds) };
    const found = await this.unitOfWork.manager.findBy(Membership, where);
    return new Set(found.map(({ tenantId, userId }) => membershipOf(tenantId, userId)));
  }
}

const membershipOf = (tenantId: string, userId: string) => `${tenantId}/${userId}`;

/** Who created a key, if they are still a member. */
const creatorOf = ({ tenantId, createdBy }: ApiKey, members: ReadonlySet<string>): string[] =>
  createdBy !== null && members.has(membershipOf(tenantId, createdBy)) ? [createdBy] : [];
