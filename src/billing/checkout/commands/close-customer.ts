import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { isOver } from '../../subscriptions/domain/subscription-snapshot';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import { StripeSubscriptions } from '../../stripe/stripe-subscriptions';
import { refundSubscriptionJob } from './refund-subscription';

/**
 * Ends all billing of a deleted tenant: expires its open checkouts, and cancels and refunds its
 * subscriptions. A tenant with a subscription that this service knows is not deleted, so these are
 * of a checkout that was completed since, or whose event was never delivered: nobody used them.
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
    private readonly jobs: Jobs,
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
    // first, because a subscription that has ended is not found again
    await this.jobs.enqueueAll(
      own.map(({ subscriptionId }) => refundSubscriptionJob(tenantId, customerId, subscriptionId)),
    );
    for (const { subscriptionId } of own) {
      const canceled = await this.stripeSubscriptions.cancel(subscriptionId);
      if (!canceled.ok) return canceled;
    }
    return ok();
  }
}
