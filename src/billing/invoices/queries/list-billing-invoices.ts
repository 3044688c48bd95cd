import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../../http/access/actor';
import type { Page } from '../../../platform/pagination';
import { invalid } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { BillingFailures } from '../../billing.failures';
import type { BillingInvoiceView } from '../../http/views/invoice.views';
import { StripeClient } from '../../stripe/stripe-client';
import { StripeInvoices } from '../../stripe/stripe-invoices';
import { SubscriptionRepository } from '../../subscriptions/data/subscription.repository';

/** Which page is asked for. */
export interface InvoicePage {
  /** The last invoice of the page before. */
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Lists the tenant's invoices at Stripe, newest first; none before the first checkout.
 * VALIDATION_ERROR for an unknown cursor; BILLING_UNAVAILABLE.
 */
export class ListBillingInvoices extends Query<
  Result<Page<BillingInvoiceView>, 'BILLING_UNAVAILABLE' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly page: InvoicePage,
  ) {
    super();
  }
}

@QueryHandler(ListBillingInvoices)
export class ListBillingInvoicesHandler implements IQueryHandler<ListBillingInvoices> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeClient: StripeClient,
    private readonly stripeInvoices: StripeInvoices,
  ) {}

  async execute({ actor, page: { cursor, limit } }: ListBillingInvoices) {
    if (!this.stripeClient.isSetUp) return err(BillingFailures.unavailable);
    const customerId = (await this.subscriptions.find(actor.tenantId))?.processorCustomerId;
    if (!customerId) return ok({ items: [], nextCursor: null });
    const page = await this.stripeInvoices.list(customerId, cursor, limit);
    if (!page.ok) return page;
    return page.value ? ok(page.value) : err(invalid({ cursor: ['is unknown'] }));
  }
}
