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

/** A live subscription: the stored one, and Stripe's. */
export interface Live {
  readonly stored: Subscription;
  readonly atStripe: ChangeableSubscription;
}

/** A subscription that is to be changed. */
export interface Changing extends Live {
  readonly held: HeldLease;
}

/** Whose subscription is changed: of the caller, or of the tenant for which an operator acts. */
type Subscriber = Pick<Subscription, 'tenantId'>;

type FindCode = 'BILLING_UNAVAILABLE' | 'NO_SUBSCRIPTION' | 'NOT_FOUND';

/** The failures of every change. */
export type ChangeCode = FindCode | 'CONFLICT';

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

  /** The subscription as Stripe has it now. NO_SUBSCRIPTION if none is live. */
  async find({ tenantId }: Subscriber): Promise<Result<Live, FindCode>> {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    if (!refreshed.ok) return refreshed;
    const stored = refreshed.value?.subscription;
    if (!stored?.isLiveAtStripe) return err(BillingFailures.noSubscription);
    const found = await this.planChanges.find(stored.processorSubscriptionId!, stored.priceId);
    if (!found.ok) return found;
    return found.value ? ok({ stored, atStripe: found.value }) : err(BillingFailures.noSubscription);
  }

  /** Runs work under the lease of the tenant, with the subscription as `find` returns it. */
  async within<T, C extends string>(
    { tenantId }: Subscriber,
    work: (changing: Changing) => Promise<Result<T, C>>,
  ): Promise<Result<T, C | ChangeCode>> {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const mustBeLive = ({ isLive }: Subscription) => (isLive ? ok() : err(BillingFailures.noSubscription));
    return this.billingLease.within<T, 'NO_SUBSCRIPTION', C | ChangeCode>(tenantId, mustBeLive, async (held) => {
      const found = await this.find({ tenantId });
      return found.ok ? work({ held, ...found.value }) : found;
    });
  }

  /**
   * Changes the subscription at Stripe, and reads it again, so that the caller sees the change.
   * The request is recorded before: whatever happens then, it is known who made it, and a job reads
   * what has become of it.
   * @param write makes the calls to Stripe; if it fails, some of them may have been made
   * @returns the subscription; the stored one if Stripe cannot be read after the change
   */
  async change<C extends string>(
    { held, stored: { tenantId } }: Changing,
    request: DomainEvent,
    write: () => Promise<Result<void, C>>,
  ): Promise<Result<SubscriptionDetails, C | 'CONFLICT' | 'NOT_FOUND'>> {
    const renewed = await held.renew();
    if (!renewed.ok) return renewed;
    const recorded = await this.publish(tenantId, request, new SyncRequested(tenantId));
    if (!recorded.ok) return recorded;
    const written = await write();
    if (!written.ok) {
      await this.publish(tenantId, new SyncRequested(tenantId)); // the first job may have read too early
      return written;
    }
    return this.detailsAfter(tenantId);
  }

  private async detailsAfter(tenantId: string): Promise<Result<SubscriptionDetails, 'NOT_FOUND'>> {
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    if (!refreshed.ok && refreshed.failure.code === PlatformFailures.notFound.code)
      return err(PlatformFailures.notFound);
    const stored = refreshed.ok ? refreshed.value?.subscription : await this.subscriptions.find(tenantId);
    return stored ? ok(detailsOf(tenantId, stored)) : err(PlatformFailures.notFound);
  }

  private publish(tenantId: string, ...events: DomainEvent[]): Promise<Result<void, 'NOT_FOUND'>> {
    return this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.events.publish(...events)));
  }
}
