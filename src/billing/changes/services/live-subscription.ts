import { Injectable } from '@nestjs/common';
import { DomainEvents, type DomainEvent } from '../../../platform/domain-events';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SyncRequested } from '../../billing.events';
import { BillingFailures } from '../../billing.failures';
import { BillingLease, type HeldLease } from '../../checkout/services/billing-lease';
import { StripeClient } from '../../stripe/stripe-client';
import { StripePlanChanges, type ChangeableSubscription } from '../../stripe/stripe-plan-changes';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { detailsOf, type SubscriptionDetails } from '../../subscriptions/services/subscription-details';
import { SubscriptionRefresher } from '../../sync/services/subscription-refresher';

/** A subscription that is to be changed: the stored one, and Stripe's. */
export interface Changing {
  readonly held: HeldLease;
  readonly stored: Subscription;
  readonly atStripe: ChangeableSubscription;
}

/** Whose subscription is changed: of the caller, or of the tenant for which an operator acts. */
type Subscriber = Pick<Subscription, 'tenantId'>;

/** The failures of every change. */
export type ChangeCode = 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'NO_SUBSCRIPTION' | 'NOT_FOUND';

/** Changes the live subscription of a tenant: one request at a time, and read again afterwards. */
@Injectable()
export class LiveSubscription {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly billingLease: BillingLease,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeClient: StripeClient,
    private readonly planChanges: StripePlanChanges,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs work under the lease of the tenant, with the subscription as Stripe has it now.
   * NO_SUBSCRIPTION if none is live.
   */
  async within<T, C extends string>(
    { tenantId }: Subscriber,
    work: (changing: Changing) => Promise<Result<T, C>>,
  ): Promise<Result<T, C | ChangeCode>> {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const mustBeLive = ({ isLive }: Subscription) => (isLive ? ok() : err(BillingFailures.noSubscription));
    return this.billingLease.within<T, 'NO_SUBSCRIPTION', C | ChangeCode>(tenantId, mustBeLive, async (held) => {
      const refreshed = await this.subscriptionRefresher.refresh(tenantId);
      if (!refreshed.ok) return refreshed;
      const stored = refreshed.value?.subscription;
      if (!stored?.isLiveAtStripe) return err(BillingFailures.noSubscription);
      const found = await this.planChanges.find(stored.processorSubscriptionId!, stored.priceId);
      if (!found.ok) return found;
      return found.value ? work({ held, stored, atStripe: found.value }) : err(BillingFailures.noSubscription);
    });
  }

  /**
   * Records what was requested, and reads the subscription again, so that the caller sees it. If
   * Stripe cannot be read, the caller sees the stored one: the change was made, and a job reads it.
   */
  async record({ tenantId }: Subscriber, event: DomainEvent): Promise<Result<SubscriptionDetails, 'NOT_FOUND'>> {
    const recorded = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok(await this.events.publish(event, new SyncRequested(tenantId))),
    );
    if (!recorded.ok) return recorded;
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    if (!refreshed.ok && refreshed.failure.code === PlatformFailures.notFound.code)
      return err(PlatformFailures.notFound);
    const stored = refreshed.ok ? refreshed.value?.subscription : await this.subscriptions.find(tenantId);
    return stored ? ok(detailsOf(tenantId, stored)) : err(PlatformFailures.notFound);
  }
}
