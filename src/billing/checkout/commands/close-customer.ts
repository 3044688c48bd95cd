import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { isOver } from '../../subscriptions/domain/subscription-snapshot';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import { StripeSubscriptions } from '../../stripe/stripe-subscriptions';

/**
 * Ends all billing of a deleted tenant: expires its open checkouts and cancels its subscriptions,
 * including those whose events were never delivered.
 */
@Job('close-customer', 'processor')
export class CloseCustomer extends Command<Result<void, 'BILLING_UNAVAILABLE'>> {
  constructor(
    readonly tenantId: string,
    readonly customerId: string,
  ) {
    super();
  }
}

@CommandHandler(CloseCustomer)
export class CloseCustomerHandler implements ICommandHandler<CloseCustomer> {
  constructor(
    private readonly stripeCheckouts: StripeCheckouts,
    private readonly stripeSubscriptions: StripeSubscriptions,
  ) {}

  async execute({ tenantId, customerId }: CloseCustomer) {
    const open = await this.stripeCheckouts.listOpen(customerId);
    if (!open.ok) return open;
    for (const { id } of open.value) {
      const expired = await this.stripeCheckouts.expire(id);
      if (!expired.ok) return expired;
    }
    const reading = await this.stripeSubscriptions.listOfCustomer(customerId);
    if (!reading.ok) return reading;
    const own = reading.value.snapshots.filter(
      (snapshot) => !isOver(snapshot.status) && (snapshot.tenantId ?? tenantId) === tenantId,
    );
    for (const { subscriptionId } of own) {
      const canceled = await this.stripeSubscriptions.cancel(subscriptionId);
      if (!canceled.ok) return canceled;
    }
    return ok();
  }
}
