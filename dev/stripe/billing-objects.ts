import { paymentMethodId } from './payment-methods';
import type { SubscriptionRecord } from './records';
import { list, type ApiObject } from './api-objects';
import { planObject, priceObject } from './price-objects';
import type { State } from './state';

/** The id of a subscription's only item. */
export const itemIdOf = (subscription: string) => subscription.replace(/^sub_/, 'si_');

/** The API's subscription of a record. */
export function subscriptionObject(state: State, subscription: SubscriptionRecord): ApiObject {
  const { id, created, quantity, pauseCollection } = subscription;
  const record = state.priceOf(subscription);
  const [price, plan] = [priceObject(record), planObject(record)];
  const item: ApiObject = {
    id: itemIdOf(id),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: subscription.periodEnd,
    current_period_start: subscription.periodStart,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan,
    price,
    quantity,
    subscription: id,
    tax_rates: [],
  };
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.isTaxAutomatic,
      liability: subscription.isTaxAutomatic ? { type: 'self' } : null,
    },
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: state.isBillingClassic ? { flexible: null, type: 'classic' } : { flexible: {}, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.isCancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: subscription.cancellationReason,
    },
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: paymentMethodId(state.customers.get(subscription.customer)!),
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription.discounts,
    ended_at: subscription.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: list(`/v1/subscription_items?subscription=${id}`, [item]),
    latest_invoice: subscription.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: pauseCollection && { behavior: pauseCollection.behavior, resumes_at: pauseCollection.resumesAt },
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    plan, // undocumented, but Stripe sends it
    quantity,
    schedule: subscription.schedule,
    start_date: created,
    status: subscription.status,
    test_clock: null,
    transfer_data: null,
    trial_end: subscription.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: subscription.missingPaymentMethod },
    },
    trial_start: subscription.trialStart,
  };
}
