import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { err, ok, type Result } from '../../../platform/result';
import { ResumptionRequested } from '../../billing.events';
import { BillingFailures } from '../../billing.failures';
import type { SubscriptionView } from '../../http/views/billing.views';
import { StripePaymentMethods } from '../../stripe/stripe-payment-methods';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { LiveSubscription, type ChangeCode, type Changing } from '../services/live-subscription';

type ResumeCode = ChangeCode | 'PAYMENT_DUE' | 'PAYMENT_FAILED';

/**
 * Keeps the subscription as it is: drops a planned cancellation or change, and ends a pause, which
 * is charged. Without one it does nothing. NO_SUBSCRIPTION, also for one that has ended;
 * PAYMENT_DUE for a paused one without a payment method, and PAYMENT_FAILED if that is declined;
 * CONFLICT; BILLING_UNAVAILABLE.
 */
export class ResumeSubscription extends Command<Result<SubscriptionView, ResumeCode>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(ResumeSubscription)
export class ResumeSubscriptionHandler implements ICommandHandler<ResumeSubscription> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly planChanges: StripePlanChanges,
    private readonly paymentMethods: StripePaymentMethods,
  ) {}

  execute({ actor }: ResumeSubscription) {
    return this.liveSubscription.within<SubscriptionView, ResumeCode>(actor, async (changing) => {
      const { stored, atStripe } = changing;
      const { cancellation, scheduleId, isPaused } = atStripe;
      if (!cancellation && !scheduleId && !isPaused) return ok(detailsOf(actor.tenantId, stored));
      const request = new ResumptionRequested(actor, actor.tenantId);
      return this.liveSubscription.change(changing, request, () => this.resume(changing));
    });
  }

  private async resume(changing: Changing) {
    const unpaused = await this.unpause(changing);
    return unpaused.ok ? this.planChanges.clear(changing.atStripe, changing.held.id) : unpaused;
  }

  /**
   * Stripe would write an invoice that nothing can pay, so the payment method is asked for first.
   */
  private async unpause({ held, atStripe }: Changing) {
    if (!atStripe.isPaused) return ok();
    const method = await this.paymentMethods.find(atStripe.customerId, atStripe.id);
    if (!method.ok) return method;
    return method.value ? this.planChanges.unpause(atStripe, held.id) : err(BillingFailures.paymentDue);
  }
}
