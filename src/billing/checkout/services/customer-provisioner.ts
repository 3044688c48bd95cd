import { Injectable } from '@nestjs/common';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { TenantOwners, type TenantOwner } from '../../../tenants/tenants.api';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeGateway } from '../../stripe/stripe-gateway';

/** Which customer of the processor a tenant is. */
@Injectable()
export class CustomerProvisioner {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly stripeGateway: StripeGateway,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The tenant's customer, made where there is none: found again by the id that is stored, and
   * before it is stored by the key of the call that makes it or by what we wrote on it, never by an
   * address. NOT_FOUND for a tenant that is gone, BILLING_UNAVAILABLE.
   * @param deleted one that the processor does not know any more, and that is replaced
   */
  async customerOf(tenantId: string, deleted: string | null = null): Promise<Result<string>> {
    const known = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const customerId = (await this.subscriptions.lockByTenant(tenantId))?.processorCustomerId ?? null;
      return ok({ customerId, owner: (await this.tenantOwners.of([tenantId])).get(tenantId) });
    });
    if (!known.ok) return known;
    const { customerId, owner } = known.value;
    if (customerId && customerId !== deleted) return ok(customerId);
    return owner ? this.make(owner, customerId) : err(PlatformFailures.notFound);
  }

  /**
   * Somebody may have made one and died before it was stored: for a day the key of the call leads
   * to it again, and after a minute the search does. Whom its receipts are for is told afterwards:
   * the call that makes it must never change, and a name is no reason to refuse a checkout.
   */
  private async make({ tenantId, tenantName, email }: TenantOwner, before: string | null): Promise<Result<string>> {
    const found = await this.stripeGateway.findCustomer(tenantId, before);
    if (!found.ok) return found;
    const made = found.value ? ok(found.value) : await this.stripeGateway.createCustomer(tenantId, before);
    if (!made.ok) return made;
    const bound = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.subscriptions.bindCustomer(tenantId, made.value, before)),
    );
    if (!bound.ok) return bound;
    if (bound.value === made.value) await this.stripeGateway.describeCustomer(made.value, { name: tenantName, email });
    return bound.value ? ok(bound.value) : err(PlatformFailures.notFound);
  }
}
