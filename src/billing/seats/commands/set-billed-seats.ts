import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { PlatformFailures } from '../../../platform/platform.failures';
import { ok, type Result } from '../../../platform/result';
import { SeatCounts } from '../../../tenants/tenants.api';
import { BillingLease } from '../../checkout/services/billing-lease';
import { StripeSeats } from '../../stripe/stripe-seats';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { SubscriptionRefresher } from '../../sync/services/subscription-refresher';

/** Seconds before the call to Stripe, so that several changes need only one call. */
const PAUSE_SECONDS = 30;

/**
 * Makes Stripe bill as many seats as the tenant has members, and stores what Stripe then says
 * (docs/contract.md, Seats). Retried while Stripe is unavailable, or a request changes the
 * subscription.
 */
@Job('push-seats', 'processor')
export class SetBilledSeats extends Command<Result<void, 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job for it. At most one waits per tenant. */
export const setBilledSeatsJob = (tenantId: string): JobRequest => ({
  command: new SetBilledSeats(tenantId),
  key: `push-seats:${tenantId}`,
  pause: PAUSE_SECONDS,
});

@CommandHandler(SetBilledSeats)
export class SetBilledSeatsHandler implements ICommandHandler<SetBilledSeats> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly seats: SeatCounts,
    private readonly stripeSeats: StripeSeats,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly billingLease: BillingLease,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Under the lease: otherwise the seats could become the quantity of another, flat price. */
  async execute({ tenantId }: SetBilledSeats) {
    if (!(await this.subscriptions.find(tenantId))?.billsSeats) return ok();
    const mayStart = (): Result => ok();
    const set = await this.billingLease.within(tenantId, mayStart, () => this.set(tenantId));
    return set.ok || set.failure === PlatformFailures.notFound ? ok() : set;
  }

  private async set(tenantId: string): Promise<Result<void, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
    const subscription = await this.subscriptions.find(tenantId);
    if (!subscription?.billsSeats) return ok();
    const counted = await this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.seats.count(tenantId)));
    if (!counted.ok) return counted;
    const { members } = counted.value;
    const { priceId } = subscription;
    const subscriptionId = subscription.processorSubscriptionId!;
    const set = await this.stripeSeats.set({ subscriptionId, priceId, seats: members });
    if (!set.ok) return set;
    if (!set.value && subscription.seats === members) return ok();
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    return refreshed.ok ? ok() : refreshed;
  }
}
