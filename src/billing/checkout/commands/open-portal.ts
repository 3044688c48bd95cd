import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { err, ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { PortalView } from '../../http/views/billing.views';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';
import { StripeClient } from '../../stripe/stripe-client';
import { StripePortal } from '../../stripe/stripe-portal';

/**
 * Creates a session of Stripe's portal, where the subscription is changed, paused and canceled.
 * NO_CUSTOMER before the first checkout, or if Stripe has deleted the customer;
 * BILLING_UNAVAILABLE.
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
    private readonly stripeClient: StripeClient,
    private readonly stripePortal: StripePortal,
  ) {}

  async execute({ actor }: OpenPortal) {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const subscription = await this.subscriptions.find(actor.tenantId);
    if (!subscription?.processorCustomerId) return err(BillingFailures.noCustomer);
    const url = await this.stripePortal.createSession(subscription.processorCustomerId);
    if (!url.ok) return url;
    return url.value === null ? err(BillingFailures.noCustomer) : ok({ portalUrl: url.value });
  }
}
