import { Injectable } from '@nestjs/common';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { TenantOwners, type TenantOwner } from '../../../tenants/tenants.api';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeCustomers } from '../../stripe/stripe-customers';

/** Finds or creates the Stripe customer of a tenant. */
@Injectable()
export class CustomerProvisioner {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly stripeCustomers: StripeCustomers,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the tenant's customer, and creates it if there is none. A customer is identified by the
   * stored id; before that is stored, by the idempotency key of its creation or by its metadata,
   * and never by an email address. NOT_FOUND for a deleted tenant; BILLING_UNAVAILABLE.
   * @param deleted a customer that no longer exists at Stripe and is replaced
   */
  async customerOf(
    tenantId: string,
    deleted: string | null = null,
  ): Promise<Result<string, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
    const known = await this.unitOfWork.inTenant({ tenantId }, async () => {
      const customerId = (await this.subscriptions.lockByTenant(tenantId))?.processorCustomerId ?? null;
      return ok({ customerId, owner: (await this.tenantOwners.of([tenantId])).get(tenantId) });
    });
    if (!known.ok) return known;
    const { customerId, owner } = known.value;
    if (customerId && customerId !== deleted) return ok(customerId);
    return owner ? this.create(owner, customerId) : err(PlatformFailures.notFound);
  }

  /**
   * An earlier request may have created a customer and crashed before storing it: the idempotency
   * key returns it for a day, and the search finds it after a minute. Name and email are sent
   * afterwards, because the parameters of the creation must never change, and a failure there must
   * not refuse the checkout.
   */
  private async create({ tenantId, tenantName, email }: TenantOwner, before: string | null) {
    const found = await this.stripeCustomers.find(tenantId, before);
    if (!found.ok) return found;
    const created = found.value ? ok(found.value) : await this.stripeCustomers.create(tenantId, before);
    if (!created.ok) return created;
    const bound = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.subscriptions.bindCustomer(tenantId, created.value, before)),
    );
    if (!bound.ok) return bound;
    if (bound.value === created.value) await this.stripeCustomers.update(created.value, { name: tenantName, email });
    return bound.value ? ok(bound.value) : err(PlatformFailures.notFound);
  }
}
