import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { ok, type Result } from '../../../platform/result';
import { CancellationRequested } from '../../billing.events';
import type { SubscriptionView } from '../../http/views/billing.views';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { LiveSubscription, type ChangeCode } from '../services/live-subscription';

/**
 * Ends the subscription with its current period, or at once if it is paused, and drops a planned
 * change. A subscription that already ends with the period stays as it is. NO_SUBSCRIPTION;
 * CONFLICT; BILLING_UNAVAILABLE.
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
    return this.liveSubscription.within(actor, async (changing) => {
      const { held, stored, atStripe } = changing;
      if (atStripe.endsWithPeriod) return ok(detailsOf(actor.tenantId, stored));
      const request = new CancellationRequested(actor, actor.tenantId);
      return this.liveSubscription.change(changing, request, () => this.planChanges.end(atStripe, held.id));
    });
  }
}
