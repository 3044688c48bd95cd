import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { TenantOwners } from '../../../tenants/tenants.api';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeGateway } from '../../stripe/stripe-gateway';

/** Seconds until the processor is told: several changes that belong together are told once. */
const SOON = 5;

/**
 * Tells the processor the tenant's name and its Owner's address as they are now: receipts and
 * reminders go there.
 */
@Job('describe-customer', 'processor')
export class UpdateCustomer extends Command<Result> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job that does it in a moment; while it waits, there is one per tenant. */
export const updateCustomerJob = (tenantId: string): JobRequest => ({
  command: new UpdateCustomer(tenantId),
  key: `describe-customer:${tenantId}`,
  pause: SOON,
});

@CommandHandler(UpdateCustomer)
export class UpdateCustomerHandler implements ICommandHandler<UpdateCustomer> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly stripeGateway: StripeGateway,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId }: UpdateCustomer): Promise<Result> {
    const customerId = (await this.subscriptions.find(tenantId))?.processorCustomerId;
    if (!customerId) return ok();
    const known = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok((await this.tenantOwners.of([tenantId])).get(tenantId)),
    );
    if (!known.ok || !known.value) return ok(); // the tenant was deleted meanwhile
    return this.stripeGateway.describeCustomer(customerId, { name: known.value.tenantName, email: known.value.email });
  }
}
