import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import { TenantRepository } from '../data/tenant.repository';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import type { Tenant } from '../domain/tenant';
import { TenantCreated, TenantRenamed } from '../tenants.events';

/** What the first tenant of a person is called. */
export const workspaceNameOf = (name: string) => `${name}'s workspace`;

/** How a tenant begins, whoever founds it and when: with its built-in roles and its Owner. */
@Injectable()
export class TenantProvisioning {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Stores a new tenant, in a transaction within its scope. @param founder becomes its Owner */
  async provision(tenant: Tenant, founder: ActorRef & { readonly userId: string }): Promise<void> {
    const roles = Role.builtIn(tenant.id);
    const owner = Membership.join(
      founder.userId,
      roles.find(({ isOwner }) => isOwner)!,
      this.clock.now(),
    );
    await this.tenants.add(tenant, roles, owner);
    await this.events.publish(new TenantCreated(founder, tenant));
  }

  /** Calls a person's first tenant after them, in a transaction within its scope. */
  async rename(tenantId: string, founder: ActorRef & { readonly userId: string }, name: string): Promise<void> {
    const tenant = await this.tenants.rename(tenantId, workspaceNameOf(name));
    await this.events.publish(new TenantRenamed(founder, tenant));
  }
}
