import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { err, ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { PortalView } from '../../http/views/billing.views';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeGateway } from '../../stripe/stripe-gateway';

/**
 * Creates a session of Stripe's portal, where the subscription is changed, paused and canceled.
 * NO_CUSTOMER before the first checkout; BILLING_UNAVAILABLE.
 */
export class OpenPortal extends Command<Result<PortalView, 'BILLING_UNAVAILABLE' | 'NO_CUSTOMER'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@CommandHandler(OpenPortal)
export class OpenPortalHandler implements ICommandHandler<OpenPortal> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeGateway: StripeGateway,
  ) {}

  async execute({ actor }: OpenPortal) {
    if (!this.stripeGateway.isSetUp) return err(BillingFailures.unavailable);
    const subscription = await this.subscriptions.find(actor.tenantId);
    if (!subscription?.processorCustomerId) return err(BillingFailures.noCustomer);
    const url = await this.stripeGateway.createPortal(subscription.processorCustomerId);
    return url.ok ? ok({ portalUrl: url.value }) : url;
  }
}
