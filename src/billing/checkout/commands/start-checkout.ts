import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { invalid, PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { MemberCount } from '../../../tenants/tenants.api';
import { BillingFailures } from '../../billing.failures';
import { PLAN_CATALOGUE, type BillingInterval, type Currency } from '../../catalogue/domain/plan-catalogue';
import { billsSeats, type PlanPrice } from '../../catalogue/domain/plan-price';
import { CataloguePrices } from '../../catalogue/services/catalogue-prices';
import type { PaidPlan } from '../../entitlements/domain/plan';
import type { CheckoutView } from '../../http/views/billing.views';
import type { CheckoutOrder } from '../../stripe/checkout-order';
import { StripeCheckouts } from '../../stripe/stripe-checkouts';
import { StripeClient } from '../../stripe/stripe-client';
import { StripePromotionCodes } from '../../stripe/stripe-promotion-codes';
import { isOver } from '../../subscriptions/domain/subscription-snapshot';
import { BillingLease, type HeldLease } from '../services/billing-lease';
import { CustomerProvisioner } from '../services/customer-provisioner';
import { IncompleteCheckouts } from '../services/incomplete-checkouts';
import { TrialGranter } from '../services/trial-granter';

/** What is to be bought. */
export interface CheckoutChoice {
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
  /** Undefined: that of the customer, or the first of the catalogue. */
  readonly currency?: Currency;
  readonly promotionCode?: string;
}

/**
 * Starts a checkout for a plan (docs/specification.md, Billing). An open checkout for the same
 * offer is reused, and one for another offer is expired: at most one is open. ALREADY_SUBSCRIBED,
 * even if only Stripe knows of the subscription so far; CONFLICT while another request prepares a
 * checkout; VALIDATION_ERROR for a currency or promotion code that is not accepted;
 * BILLING_UNAVAILABLE.
 */
export class StartCheckout extends Command<
  Result<CheckoutView, 'ALREADY_SUBSCRIBED' | 'BILLING_UNAVAILABLE' | 'CONFLICT' | 'NOT_FOUND' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly choice: CheckoutChoice,
  ) {
    super();
  }
}

@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  constructor(
    private readonly billingLease: BillingLease,
    private readonly customerProvisioner: CustomerProvisioner,
    private readonly incompleteCheckouts: IncompleteCheckouts,
    private readonly trialGranter: TrialGranter,
    private readonly stripeClient: StripeClient,
    private readonly stripeCheckouts: StripeCheckouts,
    private readonly promotionCodes: StripePromotionCodes,
    private readonly prices: CataloguePrices,
    private readonly memberCount: MemberCount,
  ) {}

  async execute({ actor, choice }: StartCheckout) {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const price = await this.prices.find(choice.plan, choice.interval);
    if (!price.ok) return price;
    const { value: offered } = price;
    if (!offered?.id) return err(BillingFailures.unavailable);
    if (choice.currency && !offered.amounts[choice.currency])
      return err(invalid({ currency: ['is not offered for this plan and interval'] }));
    const url = await this.billingLease.within(
      actor.tenantId,
      ({ refusesCheckout }) => (refusesCheckout ? err(BillingFailures.alreadySubscribed) : ok()),
      (lease) => this.prepare(lease, choice, { ...offered, id: offered.id! }),
    );
    return url.ok ? ok({ checkoutUrl: url.value }) : url;
  }

  private async prepare(held: HeldLease, choice: CheckoutChoice, price: PlanPrice & { readonly id: string }) {
    const { tenantId } = held.lease;
    const customer = await this.customerProvisioner.customerOf(tenantId);
    if (!customer.ok) return customer;
    const refreshed = await this.incompleteCheckouts.refresh(tenantId, customer.value);
    if (!refreshed.ok) return refreshed;
    if (!refreshed.value) return err(PlatformFailures.notFound); // the tenant was deleted in the meantime
    const { snapshots, subscription } = refreshed.value;
    if (subscription.isLive || snapshots.some(({ status }) => !isOver(status)))
      return err(BillingFailures.alreadySubscribed);
    const hadTrial = subscription.hadTrial || snapshots.some(({ trialEndsAt }) => trialEndsAt !== null);
    const promotionCodeId = await this.promotionCodeOf(choice, customer.value);
    if (!promotionCodeId.ok) return promotionCodeId;
    const { trial } = PLAN_CATALOGUE[choice.plan];
    const isTrialGranted = trial && !hadTrial ? await this.trialGranter.grant(tenantId) : ok(false);
    if (!isTrialGranted.ok) return isTrialGranted;
    return this.openCheckout(held, {
      tenantId,
      customerId: customer.value,
      plan: choice.plan,
      priceId: price.id,
      quantity: billsSeats(price) ? await this.memberCount.of(tenantId) : 1,
      currency: choice.currency,
      promotionCodeId: promotionCodeId.value,
      trial: isTrialGranted.value ? trial : null,
    });
  }

  private async promotionCodeOf({ promotionCode }: CheckoutChoice, customerId: string) {
    if (promotionCode === undefined) return ok(undefined);
    const found = await this.promotionCodes.find(promotionCode, customerId);
    if (!found.ok || found.value !== undefined) return found;
    return err(BillingFailures.promotionCodeUnknown);
  }

  private async openCheckout(held: HeldLease, order: CheckoutOrder) {
    const open = await this.stripeCheckouts.listOpen(order.customerId);
    if (!open.ok) return open;
    const same = open.value.find(({ offer }) => offer === this.stripeCheckouts.offerOf(order));
    for (const { id } of open.value.filter((checkout) => checkout !== same)) {
      const expired = await this.stripeCheckouts.expire(id);
      if (!expired.ok) return expired;
      if (!expired.value) return err(BillingFailures.changeInProgress); // it may have been paid
    }
    if (same) return ok(same.url);
    const renewed = await held.renew();
    return renewed.ok ? this.createCheckout(order) : renewed;
  }

  private async createCheckout(order: CheckoutOrder) {
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
