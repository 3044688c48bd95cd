import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ok } from '../../platform/result';
import { CHANGE_PRORATION } from '../catalogue/domain/plan-catalogue';
import { StripeClient } from './stripe-client';
import { callAboutSubscription, type SubscriptionResult } from './subscription-call';
import { withoutEnd, type ChangeableSubscription, type NewItem } from './stripe-plan-changes';
import { StripeSchedules, type PlannedItem } from './stripe-schedules';

/** An invoice that Stripe would write. */
export interface InvoicePreview {
  /** In the smallest unit of the currency; negative amounts are credits. */
  readonly amountDue: number;
  readonly lines: readonly PreviewLine[];
}

export interface PreviewLine {
  readonly description: string;
  readonly amount: number;
  /** Whether it is for a part of a period. */
  readonly isProration: boolean;
}

/**
 * Stripe's previews of invoices. Every call may return BILLING_UNAVAILABLE, and NO_SUBSCRIPTION or
 * CONFLICT if subscription or schedule is gone.
 */
@Injectable()
export class StripePreviews {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly schedules: StripeSchedules,
  ) {}

  /** The invoice for a change at once. */
  ofChange(subscription: ChangeableSubscription, item: NewItem): Promise<SubscriptionResult<InvoicePreview>> {
    return this.preview(subscription, item, { proration_behavior: CHANGE_PRORATION }, 'next');
  }

  /** The invoice of each period after the change, which replaces what is planned. */
  async ofPeriod(subscription: ChangeableSubscription, item: PlannedItem): Promise<SubscriptionResult<InvoicePreview>> {
    const { scheduleId: schedule, customerId: customer, priceId } = subscription;
    if (!schedule) return this.preview(subscription, item, { proration_behavior: 'none' }, 'recurring');
    const planned = await this.schedules.replan(schedule, priceId, item);
    if (!planned.ok) return planned;
    return this.create({ customer, schedule, schedule_details: planned.value, preview_mode: 'recurring' });
  }

  private preview(
    subscription: ChangeableSubscription,
    { priceId, quantity }: NewItem,
    details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails,
    preview_mode: 'next' | 'recurring',
  ): Promise<SubscriptionResult<InvoicePreview>> {
    const { id, customerId, itemId } = subscription;
    const items = [{ id: itemId, price: priceId, quantity }];
    return this.create({
      customer: customerId,
      subscription: id,
      preview_mode,
      // a subscription that ends has no further invoice; the change withdraws the end
      subscription_details: { ...details, ...withoutEnd(subscription), items },
    });
  }

  private async create(params: Stripe.InvoiceCreatePreviewParams): Promise<SubscriptionResult<InvoicePreview>> {
    const preview = await callAboutSubscription(this.stripeClient, 'invoices.createPreview', (stripe) =>
      stripe.invoices.createPreview(params),
    );
    if (!preview.ok) return preview;
    const { amount_due, lines } = preview.value;
    return ok({ amountDue: amount_due, lines: lines.data.map(lineOf) });
  }
}

const lineOf = ({ description, amount, parent }: Stripe.InvoiceLineItem): PreviewLine => ({
  description: description ?? '',
  amount,
  isProration: (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration === true,
});
