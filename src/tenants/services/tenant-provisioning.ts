import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents, type ActorRef } from '../../platform/domain-events';
import { TenantRepository } from '../data/tenant.repository';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import type { Tenant } from '../domain/tenant';
import { TenantCreated, TenantRenamed } from '../tenants.events';

/** The name of a user's first tenant. */
export const workspaceNameOf = (name: string) => `${name}'s workspace`;

/** Creates tenants with their built-in roles and their Owner. */
@Injectable()
export class TenantProvisioning {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Stores a new tenant in a transaction within its scope. @param creator becomes its Owner */
  async provision(tenant: Tenant, creator: ActorRef & { readonly userId: string }): Promise<void> {
    const roles = Role.builtIn(tenant.id);
    const owner = Membership.create(
      creator.userId,
      roles.find(({ isOwner }) => isOwner)!,
      this.clock.now(),
    );
    await this.tenants.add(tenant, roles, owner);
    await this.events.publish(new TenantCreated(creator, tenant));
  }

  /**
   * Removes the tenants of Owners who have never signed in, which contain only their roles and the
   * Owner; runs across tenants.
   */
  removeUnused(owners: readonly { readonly id: string }[]): Promise<void> {
    return this.tenants.removeOwnedBy(owners.map(({ id }) => id));
  }

  /** Renames a user's first tenant after the user, in a transaction within its scope. */
  async rename(tenantId: string, actor: ActorRef & { readonly userId: string }, name: string): Promise<void> {
    const tenant = await this.tenants.rename(tenantId, workspaceNameOf(name));
    await this.events.publish(new TenantRenamed(actor, tenant));
  }
}
