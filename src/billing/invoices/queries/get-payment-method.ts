import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import { err, ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { PaymentMethodView } from '../../http/views/invoice.views';
import { StripeClient } from '../../stripe/stripe-client';
import { StripePaymentMethods } from '../../stripe/stripe-payment-methods';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';

/** Reads the payment method that Stripe would charge. BILLING_UNAVAILABLE. */
export class GetPaymentMethod extends Query<Result<PaymentMethodView, 'BILLING_UNAVAILABLE'>> {
  constructor(readonly actor: TenantActor) {
    super();
  }
}

@QueryHandler(GetPaymentMethod)
export class GetPaymentMethodHandler implements IQueryHandler<GetPaymentMethod> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeClient: StripeClient,
    private readonly paymentMethods: StripePaymentMethods,
  ) {}

  async execute({ actor }: GetPaymentMethod) {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const subscription = await this.subscriptions.find(actor.tenantId);
    if (!subscription?.processorCustomerId) return ok({ onFile: null });
    const { processorCustomerId, processorSubscriptionId } = subscription;
    const found = await this.paymentMethods.find(processorCustomerId, processorSubscriptionId);
    return found.ok ? ok({ onFile: found.value }) : found;
  }
}
