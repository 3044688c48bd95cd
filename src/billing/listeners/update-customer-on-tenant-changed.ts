import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { OwnershipTransferred, TenantOwners, TenantRenamed, TenantsOfUser } from '../../tenants/tenants.api';
import { AccountEmailChanged } from '../../users/users.api';
import { updateCustomerJob } from '../checkout/commands/update-customer';
import { StripeClient } from '../stripe/stripe-client';

/** Keeps the name and email of the Stripe customer in sync with the tenant and its Owner. */
@Injectable()
export class UpdateCustomerOnTenantChanged implements OnModuleInit {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly tenantsOfUser: TenantsOfUser,
    private readonly tenantOwners: TenantOwners,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    for (const type of [OwnershipTransferred, TenantRenamed])
      this.events.on<DomainEvent>(type, (events) => this.update(events.flatMap(({ tenantId }) => tenantId ?? [])));
    this.events.on(AccountEmailChanged, async ([{ userId }]) => this.update(await this.tenantsOwnedBy(userId)));
  }

  /** Needs a transaction across tenants, which a change of an address is. */
  private async tenantsOwnedBy(userId: string): Promise<string[]> {
    const tenants = await this.tenantsOfUser.list(userId);
    const owners = await this.tenantOwners.of(tenants.map(({ id }) => id));
    return [...owners.values()].filter((owner) => owner.userId === userId).map(({ tenantId }) => tenantId);
  }

  private async update(tenantIds: readonly string[]): Promise<void> {
    if (this.stripeClient.isSetUp) await this.jobs.enqueueAll([...new Set(tenantIds)].map(updateCustomerJob));
  }
}
