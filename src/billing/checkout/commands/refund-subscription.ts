import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { Job, Jobs, type JobRequest } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { ok } from '../../../platform/result';
import { PaymentRefunded } from '../../billing.events';
import { StripeCustomers, type CustomerDetails } from '../../stripe/stripe-customers';
import type { StripeResult } from '../../stripe/stripe-client';
import { StripeRefunds, type InvoicePayment } from '../../stripe/stripe-refunds';
import { SendBillingMail } from '../../subscriptions/commands/send-billing-mail';

/** Seconds before the refund, so that runs that overlap lead to one, and to one email. */
const PAUSE_SECONDS = 30;

/**
 * Refunds everything that was paid for a subscription of a deleted tenant, which never had the use
 * of it, and tells the payer. Idempotent.
 */
@Job('refund-subscription', 'processor')
export class RefundSubscription extends Command<StripeResult> {
  constructor(
    readonly tenantId: string,
    readonly customerId: string,
    readonly subscriptionId: string,
  ) {
    super();
  }
}

/** The job for it. At most one waits per subscription. */
export const refundSubscriptionJob = (tenantId: string, customerId: string, subscriptionId: string): JobRequest => ({
  command: new RefundSubscription(tenantId, customerId, subscriptionId),
  key: `refund-subscription:${subscriptionId}`,
  pause: PAUSE_SECONDS,
});

@CommandHandler(RefundSubscription)
export class RefundSubscriptionHandler implements ICommandHandler<RefundSubscription> {
  constructor(
    private readonly stripeRefunds: StripeRefunds,
    private readonly stripeCustomers: StripeCustomers,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  async execute({ tenantId, customerId, subscriptionId }: RefundSubscription): Promise<StripeResult> {
    const payments = await this.stripeRefunds.paymentsOf(subscriptionId);
    if (!payments.ok || payments.value.length === 0) return payments.ok ? ok() : payments;
    for (const payment of payments.value) {
      const refunded = await this.stripeRefunds.refund(payment);
      if (!refunded.ok) return refunded;
    }
    const payer = await this.stripeCustomers.get(customerId);
    if (!payer.ok) return payer;
    await this.record(tenantId, payments.value, payer.value);
    this.log.warn(
      { event: 'billing.payment_refunded', tenantId, subscriptionId, invoices: payments.value.length },
      'A payment for a deleted tenant was refunded',
    );
    return ok();
  }

  /** The tenant and its Owner may be gone: the payer is whom Stripe knows as the customer. */
  private async record(tenantId: string, payments: readonly InvoicePayment[], payer: CustomerDetails | null) {
    await this.unitOfWork.transaction(async () => {
      await this.events.publish(...payments.map((payment) => new PaymentRefunded(tenantId, payment)));
      if (payer) await this.jobs.enqueue(SendBillingMail.aboutRefund(payer, textOf(payments)));
      return ok();
    });
  }
}

/** The sum, such as `29.00 USD`. A subscription has one currency. */
function textOf(payments: readonly InvoicePayment[]): string {
  const total = payments.reduce((sum, { amount }) => sum + amount, 0);
  return `${(total / 100).toFixed(2)} ${payments[0].currency.toUpperCase()}`;
}
