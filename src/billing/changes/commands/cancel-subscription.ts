import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { ok, type Result } from '../../../platform/result';
import { CancellationRequested } from '../../billing.events';
import type { SubscriptionView } from '../../http/views/billing.views';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { LiveSubscription, type ChangeCode } from '../services/live-subscription';

/**
 * Ends the subscription with its current period, and drops a planned change. A subscription that
 * ends already stays as it is. NO_SUBSCRIPTION; CONFLICT; BILLING_UNAVAILABLE.
 */
export class CancelSubscription extends Command<Result<SubscriptionView, ChangeCode>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(CancelSubscription)
export class CancelSubscriptionHandler implements ICommandHandler<CancelSubscription> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly planChanges: StripePlanChanges,
  ) {}

  execute({ actor }: CancelSubscription) {
    return this.liveSubscription.within(actor, async ({ held, stored, atStripe }) => {
      if (atStripe.cancellation) return ok(detailsOf(actor.tenantId, stored));
      const renewed = await held.renew();
      if (!renewed.ok) return renewed;
      const cleared = await this.planChanges.clear(atStripe, held.id);
      if (!cleared.ok) return cleared;
      const canceled = await this.planChanges.cancel(atStripe, held.id);
      if (!canceled.ok) return canceled;
      return this.liveSubscription.record(actor, new CancellationRequested(actor, actor.tenantId));
    });
  }
}
