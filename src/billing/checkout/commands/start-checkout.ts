import { setTimeout as pause } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { Clock, addSeconds, MINUTE } from '../../../platform/clock';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { BillingFailures } from '../../billing.failures';
import type { CheckoutView } from '../../http/views/billing.views';
import { CustomerProvisioner } from '../services/customer-provisioner';
import { CheckoutLeaseRepository } from '../data/checkout-lease.repository';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { PaidPlan } from '../../entitlements/domain/plan';
import { PlanPrices } from '../../entitlements/services/plan-prices';
import { isOver } from '../../subscriptions/domain/subscription-snapshot';
import { offerOf, type CheckoutOrder } from '../../stripe/checkout-order';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import { StripeClient } from '../../stripe/stripe-client';
import { SubscriptionRefresher } from '../../sync/services/subscription-refresher';

/** The right of one request to prepare a checkout for a tenant. */
interface Lease {
  readonly tenantId: string;
  until: Date;
}

/** Seconds after which a lease expires: longer than any call that is made under it. */
const LEASE_SECONDS = 2 * MINUTE;
/** How often and at which interval in milliseconds a request tries to get the lease. */
const LEASE_ATTEMPTS = 50;
const LEASE_INTERVAL_MS = 200;

/**
 * Starts a checkout for a plan (docs/specification.md, Billing). An open checkout for the same plan
 * is reused, and one for another plan is expired: at most one is open. ALREADY_SUBSCRIBED, even if
 * only Stripe knows of the subscription so far; CONFLICT while another request prepares a checkout;
 * BILLING_UNAVAILABLE.
 */
export class StartCheckout extends Command<
  Result<CheckoutView, 'ALREADY_SUBSCRIBED' | 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'NOT_FOUND'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly plan: PaidPlan,
  ) {
    super();
  }
}

@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly leases: CheckoutLeaseRepository,
    private readonly customerProvisioner: CustomerProvisioner,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeClient: StripeClient,
    private readonly stripeCheckouts: StripeCheckouts,
    private readonly prices: PlanPrices,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, plan }: StartCheckout) {
    const priceId = this.prices.priceOf(plan);
    if (!priceId || !this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const acquired = await this.acquireLease(actor);
    if (!acquired.ok) return acquired;
    const lease = { tenantId: actor.tenantId, until: acquired.value };
    try {
      const url = await this.prepare(lease, plan, priceId);
      return url.ok ? ok({ checkoutUrl: url.value }) : url;
    } finally {
      await this.unitOfWork.inTenant(actor, async () => ok(await this.leases.release(lease.tenantId, lease.until)));
    }
  }

  /**
   * One request at a time per tenant. A lease instead of a lock: a lock would be held during calls
   * to Stripe, and webhooks of the tenant would wait for it.
   * @returns when the lease expires
   */
  private async acquireLease(actor: TenantActor) {
    for (let attempt = 0; attempt < LEASE_ATTEMPTS; attempt++) {
      const lease = await this.unitOfWork.inTenant(actor, async () => {
        const now = this.clock.now();
        const subscription = await this.subscriptions.lockOrAdd(actor.tenantId, now);
        if (!subscription) return err(PlatformFailures.notFound);
        if (subscription.isLive) return err(BillingFailures.alreadySubscribed);
        const until = addSeconds(now, LEASE_SECONDS);
        return ok((await this.leases.acquire(actor.tenantId, now, until)) ? until : null);
      });
      if (!lease.ok) return lease;
      if (lease.value) return ok(lease.value);
      await pause(LEASE_INTERVAL_MS);
    }
    return err(BillingFailures.checkoutInProgress);
  }

  private async prepare(lease: Lease, plan: PaidPlan, priceId: string) {
    const { tenantId } = lease;
    const customer = await this.customerProvisioner.customerOf(tenantId);
    if (!customer.ok) return customer;
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    if (!refreshed.ok) return refreshed;
    if (!refreshed.value) return err(PlatformFailures.notFound); // the tenant was deleted in the meantime
    const { snapshots, subscription } = refreshed.value;
    if (subscription.isLive || snapshots.some(({ status }) => !isOver(status)))
      return err(BillingFailures.alreadySubscribed);
    const hadTrial = subscription.hadTrial || snapshots.some(({ trialEndsAt }) => trialEndsAt !== null);
    return this.openCheckout(lease, { tenantId, customerId: customer.value, plan, priceId, hasTrial: !hadTrial });
  }

  private async openCheckout(lease: Lease, order: CheckoutOrder) {
    const open = await this.stripeCheckouts.listOpen(order.customerId);
    if (!open.ok) return open;
    const same = open.value.find(({ offer }) => offer === offerOf(order));
    for (const { id } of open.value.filter((checkout) => checkout !== same)) {
      const expired = await this.stripeCheckouts.expire(id);
      if (!expired.ok) return expired;
    }
    return same ? ok(same.url) : this.createCheckout(lease, order);
  }

  /**
   * Renews the lease first: the calls before may have taken so long that another request has it.
   */
  private async createCheckout(lease: Lease, order: CheckoutOrder) {
    const longer = addSeconds(this.clock.now(), LEASE_SECONDS);
    const isOurs = await this.unitOfWork.inTenant(lease, async () =>
      ok(await this.leases.renew(lease.tenantId, lease.until, longer)),
    );
    if (!isOurs.ok) return isOurs;
    if (!isOurs.value) return err(BillingFailures.checkoutInProgress);
    lease.until = longer;
    const url = await this.stripeCheckouts.create(order);
    if (!url.ok) return url;
    return url.value === null ? this.createForNewCustomer(order) : ok(url.value);
  }

  /** For a customer that was deleted at Stripe, with its subscriptions. */
  private async createForNewCustomer(order: CheckoutOrder) {
    const customer = await this.customerProvisioner.customerOf(order.tenantId, order.customerId);
    if (!customer.ok) return customer;
    const url = await this.stripeCheckouts.create({ ...order, customerId: customer.value });
    if (!url.ok) return url;
    return url.value === null ? err(BillingFailures.unavailable) : ok(url.value);
  }
}
