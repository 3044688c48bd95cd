import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../../config/settings';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { TenantOwners } from '../../../tenants/tenants.api';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeCustomers } from '../../stripe/stripe-customers';

/** Seconds before the call to Stripe, so that related changes need only one call. */
const PAUSE_SECONDS = 5;

/**
 * Sends the tenant's name and its Owner's email address to Stripe, for receipts and reminders.
 * Where the checkout asks for the legal name, for tax, that stays on the invoices.
 */
@Job('describe-customer', 'processor')
export class UpdateCustomer extends Command<Result<void, 'BILLING_UNAVAILABLE'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job for it. At most one waits per tenant. */
export const updateCustomerJob = (tenantId: string): JobRequest => ({
  command: new UpdateCustomer(tenantId),
  key: `describe-customer:${tenantId}`,
  pause: PAUSE_SECONDS,
});

@CommandHandler(UpdateCustomer)
export class UpdateCustomerHandler implements ICommandHandler<UpdateCustomer> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly stripeCustomers: StripeCustomers,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tenantId }: UpdateCustomer) {
    const customerId = (await this.subscriptions.find(tenantId))?.processorCustomerId;
    if (!customerId) return ok();
    const known = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok((await this.tenantOwners.of([tenantId])).get(tenantId)),
    );
    if (!known.ok || !known.value) return ok(); // the tenant was deleted in the meantime
    const { tenantName, email } = known.value;
    const { taxIds, automaticTax } = this.settings.processor.checkout;
    return this.stripeCustomers.update(customerId, taxIds || automaticTax ? { email } : { name: tenantName, email });
  }
}
