import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { err, ok, type Result } from '../../../platform/result';
import { MemberCount } from '../../../tenants/tenants.api';
import { PlanChangeRequested } from '../../billing.events';
import { BillingFailures } from '../../billing.failures';
import type { BillingInterval, Currency } from '../../catalogue/domain/plan-catalogue';
import { billsSeats } from '../../catalogue/domain/plan-price';
import { CataloguePrices } from '../../catalogue/services/catalogue-prices';
import type { PaidPlan, Plan } from '../../entitlements/domain/plan';
import type { PlanChangeView } from '../../http/views/change.views';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import { StripeSchedules, type PlannedItem } from '../../stripe/stripe-schedules';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { PlanChangePreviewer } from '../services/plan-change-previewer';
import { LiveSubscription, type ChangeCode, type Changing } from '../services/live-subscription';

/** The plan to change to. */
export interface PlanChoice {
  readonly plan: Plan;
  /** Undefined: the present one. */
  readonly interval?: BillingInterval;
  readonly when: 'now' | 'period-end';
  /** Only asks what it costs. */
  readonly isPreview: boolean;
}

type ChangePlanCode = ChangeCode | 'PAYMENT_DUE' | 'PAYMENT_FAILED' | 'SAME_PLAN';

/**
 * Changes the plan of a live subscription, at once or at the end of the period; Free ends it then.
 * A change replaces what was planned before. NO_SUBSCRIPTION; SAME_PLAN; PAYMENT_DUE while it is
 * past due or paused; PAYMENT_FAILED if the amount due now cannot be charged; CONFLICT while
 * another request changes it; BILLING_UNAVAILABLE.
 */
export class ChangePlan extends Command<Result<PlanChangeView, ChangePlanCode>> {
  constructor(
    readonly actor: TenantActor,
    readonly choice: PlanChoice,
  ) {
    super();
  }
}

@CommandHandler(ChangePlan)
export class ChangePlanHandler implements ICommandHandler<ChangePlan> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly previewer: PlanChangePreviewer,
    private readonly planChanges: StripePlanChanges,
    private readonly schedules: StripeSchedules,
    private readonly prices: CataloguePrices,
    private readonly memberCount: MemberCount,
  ) {}

  execute({ actor, choice }: ChangePlan) {
    return this.liveSubscription.within<PlanChangeView, ChangePlanCode>(actor, async (changing) => {
      const { status } = changing.stored;
      const isEnding = choice.plan === 'Free';
      if (!isEnding && status !== 'Active' && status !== 'Trialing') return err(BillingFailures.paymentDue);
      const item = await this.itemOf(choice, changing);
      if (!item.ok) return item;
      return choice.isPreview
        ? this.preview(choice, changing, item.value)
        : this.change(actor, choice, changing, item.value);
    });
  }

  /** Undefined: the subscription ends. */
  private async itemOf({ plan, interval }: PlanChoice, { stored, atStripe }: Changing) {
    if (plan === 'Free') return ok(undefined);
    const chosen = interval ?? stored.interval ?? 'month';
    if (stored.plan === plan && stored.interval === chosen) return err(BillingFailures.samePlan);
    const price = await this.prices.find(plan satisfies PaidPlan, chosen);
    if (!price.ok) return price;
    const { value: offered } = price;
    if (!offered?.id || !offered.amounts[atStripe.currency as Currency]) return err(BillingFailures.unavailable);
    const quantity = billsSeats(offered) ? await this.memberCount.of(stored.tenantId) : 1;
    return ok<PlannedItem>({ priceId: offered.id, quantity, interval: chosen });
  }

  private async preview({ when }: PlanChoice, { stored, atStripe }: Changing, item: PlannedItem | undefined) {
    const preview = item ? await this.previewer.preview(atStripe, item, when) : ok(this.previewer.ofEnd(atStripe));
    return preview.ok ? ok({ preview: preview.value, subscription: detailsOf(stored.tenantId, stored) }) : preview;
  }

  private async change(actor: TenantActor, choice: PlanChoice, changing: Changing, item: PlannedItem | undefined) {
    const { held, stored, atStripe } = changing;
    const endsAlready = !item && atStripe.cancellation !== null;
    if (endsAlready) return ok({ preview: null, subscription: detailsOf(actor.tenantId, stored) });
    const renewed = await held.renew();
    if (!renewed.ok) return renewed;
    const changed =
      item && choice.when === 'now'
        ? await this.planChanges.change(atStripe, item, held.id)
        : await this.changeLater(changing, item);
    if (!changed.ok) return changed;
    const when = item ? choice.when : 'period-end';
    const event = new PlanChangeRequested(actor, actor.tenantId, {
      plan: choice.plan,
      interval: item?.interval ?? null,
      when,
    });
    const subscription = await this.liveSubscription.record(actor, event);
    return subscription.ok ? ok({ preview: null, subscription: subscription.value }) : subscription;
  }

  private async changeLater({ held, atStripe }: Changing, item: PlannedItem | undefined) {
    const cleared = await this.planChanges.clear(atStripe, held.id);
    if (!cleared.ok) return cleared;
    return item ? this.schedules.plan(atStripe, item, held.id) : this.planChanges.cancel(atStripe, held.id);
  }
}
