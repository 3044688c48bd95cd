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
import type { PlannedItem } from '../../stripe/stripe-schedules';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { PlanChangePreviewer } from '../services/plan-change-previewer';
import { LiveSubscription, type ChangeCode, type Changing, type Live } from '../services/live-subscription';
import { PlannedChanges } from '../services/planned-changes';

/** The plan to change to. */
export interface PlanChoice {
  readonly plan: Plan;
  /** Undefined: the current one. */
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
    private readonly plannedChanges: PlannedChanges,
    private readonly prices: CataloguePrices,
    private readonly memberCount: MemberCount,
  ) {}

  async execute({ actor, choice }: ChangePlan): Promise<Result<PlanChangeView, ChangePlanCode>> {
    if (!choice.isPreview)
      return this.liveSubscription.within(actor, (changing) => this.change(actor, choice, changing));
    const live = await this.liveSubscription.find(actor);
    return live.ok ? this.preview(choice, live.value) : live;
  }

  /** Undefined: the subscription ends. */
  private async itemOf({ plan, interval }: PlanChoice, { stored, atStripe }: Live) {
    const { status, tenantId } = stored;
    if (plan === 'Free') return ok(undefined);
    if (status !== 'Active' && status !== 'Trialing') return err(BillingFailures.paymentDue);
    const chosen = interval ?? stored.interval ?? 'month';
    const isPresent = stored.plan === plan && stored.interval === chosen;
    if (isPresent && !atStripe.scheduleId) return err(BillingFailures.samePlan); // with one, it is dropped
    const price = await this.prices.find(plan satisfies PaidPlan, chosen);
    if (!price.ok) return price;
    const { value: offered } = price;
    if (!offered?.id) return err(BillingFailures.unavailable);
    if (!offered.amounts[atStripe.currency as Currency]) return err(BillingFailures.otherCurrency);
    const quantity = billsSeats(offered) ? await this.memberCount.of(tenantId) : 1;
    return ok<PlannedItem>({ priceId: offered.id, quantity, interval: chosen });
  }

  private async preview(choice: PlanChoice, live: Live): Promise<Result<PlanChangeView, ChangePlanCode>> {
    const { stored, atStripe } = live;
    const item = await this.itemOf(choice, live);
    if (!item.ok) return item;
    const preview = item.value
      ? await this.previewer.preview(atStripe, item.value, choice.when)
      : ok(this.previewer.ofEnd(atStripe));
    return preview.ok ? ok({ preview: preview.value, subscription: detailsOf(stored.tenantId, stored) }) : preview;
  }

  private async change(
    actor: TenantActor,
    choice: PlanChoice,
    changing: Changing,
  ): Promise<Result<PlanChangeView, ChangePlanCode>> {
    const item = await this.itemOf(choice, changing);
    if (!item.ok) return item;
    const { plan, when } = choice;
    const { stored, atStripe } = changing;
    const endsAlready = !item.value && atStripe.endsWithPeriod;
    if (endsAlready) return ok({ preview: null, subscription: detailsOf(actor.tenantId, stored) });
    const requested = { plan, interval: item.value?.interval ?? null, when: item.value ? when : 'period-end' } as const;
    const changed = await this.liveSubscription.change(
      changing,
      new PlanChangeRequested(actor, actor.tenantId, requested),
      () => this.write(changing, item.value, when),
    );
    return changed.ok ? ok({ preview: null, subscription: changed.value }) : changed;
  }

  private async write(
    changing: Changing,
    item: PlannedItem | undefined,
    when: PlanChoice['when'],
  ): Promise<Result<void, ChangePlanCode>> {
    const { held, atStripe } = changing;
    if (!item) return this.planChanges.end(atStripe, held.id);
    if (when === 'period-end') return this.plannedChanges.plan(changing, item);
    const changed = await this.planChanges.change(atStripe, item, held.id);
    return changed.ok ? this.plannedChanges.drop(changing) : changed;
  }
}
