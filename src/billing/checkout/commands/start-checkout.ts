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
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import type { PaidPlan } from '../../entitlements/domain/plan';
import { PlanPrices } from '../../entitlements/services/plan-prices';
import { isOver } from '../../subscriptions/domain/subscription-snapshot';
import { offerOf, StripeGateway, type CheckoutOrder } from '../../stripe/stripe-gateway';
import { SubscriptionRefresher } from '../../sync/services/subscription-refresher';

/**
 * Seconds after which whoever was preparing a checkout is taken for dead: longer than any of their
 * calls takes.
 */
const PREPARATION_SECONDS = 2 * MINUTE;
/** The right of one to prepare a checkout for a tenant. */
interface Turn {
  readonly tenantId: string;
  until: Date;
}

/** How often and in which milliseconds somebody else's preparation is waited for. */
const ROUNDS = 50;
const ROUND_MS = 200;

/**
 * Where the Owner of a tenant can pay for a plan (specification, Checkout behaviour). A checkout
 * for the same plan that waits is used again, one for another is closed: at most one is open.
 * ALREADY_SUBSCRIBED, also when only the processor knows so far; CONFLICT while somebody else
 * prepares one; BILLING_UNAVAILABLE.
 */
export class StartCheckout extends Command<Result<CheckoutView>> {
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
    private readonly customerProvisioner: CustomerProvisioner,
    private readonly subscriptionRefresher: SubscriptionRefresher,
    private readonly stripeGateway: StripeGateway,
    private readonly prices: PlanPrices,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, plan }: StartCheckout): Promise<Result<CheckoutView>> {
    const priceId = this.prices.priceOf(plan);
    if (!priceId || !this.stripeGateway.isSetUp) return err(BillingFailures.unavailable);
    const taken = await this.takeTurn(actor);
    if (!taken.ok) return taken;
    const turn = { tenantId: actor.tenantId, until: taken.value };
    try {
      const url = await this.prepare(turn, plan, priceId);
      return url.ok ? ok({ checkoutUrl: url.value }) : url;
    } finally {
      await this.unitOfWork.inTenant(actor, async () =>
        ok(await this.subscriptions.releaseCheckoutLease(turn.tenantId, turn.until)),
      );
    }
  }

  /**
   * One at a time in a tenant. Not by a lock: that would be held while the processor answers, and
   * webhooks of the tenant would wait for it.
   * @returns until when it is ours
   */
  private async takeTurn(actor: TenantActor): Promise<Result<Date>> {
    for (let round = 0; round < ROUNDS; round++) {
      const turn = await this.unitOfWork.inTenant(actor, async () => {
        const now = this.clock.now();
        const subscription = await this.subscriptions.lockOrAdd(actor.tenantId, now);
        if (!subscription) return err(PlatformFailures.notFound);
        if (subscription.isLive) return err(BillingFailures.alreadySubscribed);
        const until = addSeconds(now, PREPARATION_SECONDS);
        return ok((await this.subscriptions.acquireCheckoutLease(actor.tenantId, now, until)) ? until : null);
      });
      if (!turn.ok) return turn;
      if (turn.value) return ok(turn.value);
      await pause(ROUND_MS);
    }
    return err(BillingFailures.checkoutUnderWay);
  }

  private async prepare(turn: Turn, plan: PaidPlan, priceId: string): Promise<Result<string>> {
    const { tenantId } = turn;
    const customer = await this.customerProvisioner.customerOf(tenantId);
    if (!customer.ok) return customer;
    const read = await this.subscriptionRefresher.reread(tenantId);
    if (!read.ok) return read;
    if (!read.value) return err(PlatformFailures.notFound); // with its customer, meanwhile
    const { states, subscription } = read.value;
    if (subscription.isLive || states.some((state) => !isOver(state.status)))
      return err(BillingFailures.alreadySubscribed);
    const hadTrial = subscription.hadTrial || states.some(({ trialEndsAt }) => trialEndsAt !== null);
    return this.openCheckout(turn, { tenantId, customerId: customer.value, plan, priceId, hasTrial: !hadTrial });
  }

  private async openCheckout(turn: Turn, order: CheckoutOrder): Promise<Result<string>> {
    const open = await this.stripeGateway.openCheckouts(order.customerId);
    if (!open.ok) return open;
    const same = open.value.find(({ offer }) => offer === offerOf(order));
    for (const { id } of open.value.filter((checkout) => checkout !== same)) {
      const expired = await this.stripeGateway.expireCheckout(id);
      if (!expired.ok) return expired;
    }
    return same ? ok(same.url) : this.createCheckout(turn, order);
  }

  /** The calls before it may have taken so long that somebody else has begun. */
  private async createCheckout(turn: Turn, order: CheckoutOrder): Promise<Result<string>> {
    const longer = addSeconds(this.clock.now(), PREPARATION_SECONDS);
    const isOurs = await this.unitOfWork.inTenant(turn, async () =>
      ok(await this.subscriptions.renewCheckoutLease(turn.tenantId, turn.until, longer)),
    );
    if (!isOurs.ok) return isOurs;
    if (!isOurs.value) return err(BillingFailures.checkoutUnderWay);
    turn.until = longer;
    const url = await this.stripeGateway.createCheckout(order);
    if (!url.ok) return url;
    return url.value === null ? this.createForNewCustomer(order) : ok(url.value);
  }

  /** The customer was deleted at the processor, with all that it had. */
  private async createForNewCustomer(order: CheckoutOrder): Promise<Result<string>> {
    const customer = await this.customerProvisioner.customerOf(order.tenantId, order.customerId);
    if (!customer.ok) return customer;
    const url = await this.stripeGateway.createCheckout({ ...order, customerId: customer.value });
    if (!url.ok) return url;
    return url.value === null ? err(BillingFailures.unavailable) : ok(url.value);
  }
}
