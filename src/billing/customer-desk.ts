import { Injectable } from '@nestjs/common';
import { PlatformFailures } from '../platform/platform.failures';
import { err, ok, type Result } from '../platform/result';
import { UnitOfWork } from '../platform/unit-of-work';
import { Owners, type TenantOwner } from '../tenants/tenants.contract';
import { SubscriptionRepository } from './data/subscription.repository';
import { ProcessorGateway } from './processor/processor-gateway';

/** Which customer of the processor a tenant is. */
@Injectable()
export class CustomerDesk {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly owners: Owners,
    private readonly gateway: ProcessorGateway,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The tenant's customer, made where there is none: found again by the id that is stored, and before it is stored by the key of the call that makes
   * it, never by an address. NOT_FOUND for a tenant that is gone, BILLING_UNAVAILABLE.
   */
  async customerOf(tenantId: string): Promise<Result<string>> {
    const known = await this.unitOfWork.within({ tenantId }, async () => {
      const customerId = (await this.subscriptions.lockByTenant(tenantId))?.processorCustomerId ?? null;
      return ok({ customerId, owner: customerId ? undefined : (await this.owners.of([tenantId])).get(tenantId) });
    });
    if (!known.ok) return known;
    const { customerId, owner } = known.value;
    if (customerId) return ok(customerId);
    return owner ? this.make(owner) : err(PlatformFailures.notFound);
  }

  private async make({ tenantId, tenantName, email }: TenantOwner): Promise<Result<string>> {
    const made = await this.gateway.createCustomer(tenantId);
    if (!made.ok) return made;
    const described = await this.gateway.describeCustomer(made.value, { name: tenantName, email });
    if (!described.ok) return described;
    const stored = await this.unitOfWork.within({ tenantId }, async () => ok(await this.subscriptions.bindCustomer(tenantId, made.value)));
    return stored.ok ? made : stored;
  }
}
