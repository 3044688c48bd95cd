import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../../platform/result';
import { AdminCheck } from '../../../users/users.api';
import { TrialExtensionRequested } from '../../billing.events';
import { BillingFailures } from '../../billing.failures';
import type { SubscriptionView } from '../../http/views/billing.views';
import { StripeTrials } from '../../stripe/stripe-trials';
import { detailsOf } from '../../subscriptions/services/subscription-details';
import { checkTrialEnd, type TrialExtension } from '../domain/trial-extension';
import { LiveSubscription, type ChangeCode, type Changing } from '../services/live-subscription';

type ExtendTrialCode = ChangeCode | 'FORBIDDEN' | 'VALIDATION_ERROR';

/**
 * Moves the end of a tenant's trial to a later time, on an operator's request. What is planned for
 * the end of the trial moves with it. A trial that already ends then stays as it is. NOT_FOUND;
 * NO_SUBSCRIPTION; CONFLICT if it is no trial, or ends by a cancellation; VALIDATION_ERROR for
 * another time; BILLING_UNAVAILABLE; FORBIDDEN if the caller's admin flag was revoked after the
 * token was issued.
 */
export class ExtendTrial extends Command<Result<SubscriptionView, ExtendTrialCode>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
    readonly extension: TrialExtension,
  ) {
    super();
  }
}

@CommandHandler(ExtendTrial)
export class ExtendTrialHandler implements ICommandHandler<ExtendTrial> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly stripeTrials: StripeTrials,
    private readonly adminCheck: AdminCheck,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, tenantId, extension }: ExtendTrial): Promise<Result<SubscriptionView, ExtendTrialCode>> {
    const allowed = await this.unitOfWork.inTenant({ tenantId }, () => this.adminCheck.requireAdmin(actor.userId));
    if (!allowed.ok) return allowed;
    return this.liveSubscription.within<SubscriptionView, ExtendTrialCode>({ tenantId }, (changing) =>
      this.extend(actor, changing, extension),
    );
  }

  /** Stripe's times have whole seconds. */
  private async extend(
    actor: Actor,
    changing: Changing,
    { endsAt, reason }: TrialExtension,
  ): Promise<Result<SubscriptionView, ExtendTrialCode>> {
    const { held, stored, atStripe } = changing;
    const { tenantId } = stored;
    const { isTrialing, trialEnd, cancellation } = atStripe;
    if (!isTrialing || trialEnd === null) return err(BillingFailures.notTrialing);
    const second = Math.floor(endsAt.getTime() / 1000);
    if (second === trialEnd) return ok(detailsOf(tenantId, stored));
    if (cancellation) return err(BillingFailures.trialEndFixed);
    const end = momentOf(second);
    const checked = checkTrialEnd(end, momentOf(trialEnd), this.clock.now());
    if (!checked.ok) return checked;
    const request = new TrialExtensionRequested(actor, tenantId, { endsAt: end, reason });
    return this.liveSubscription.change(changing, request, () => this.stripeTrials.extend(atStripe, second, held.id));
  }
}

const momentOf = (second: number) => new Date(second * 1000);
