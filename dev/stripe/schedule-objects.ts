import type { ApiObject } from './api-objects';
import type { SchedulePhase, ScheduleRecord } from './records';

/** A schedule of a subscription as the API returns it. */
export function scheduleObject(schedule: ScheduleRecord): ApiObject {
  const { id, created, status, phases, phase } = schedule;
  const current = phases[phase];
  return {
    id,
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: {}, type: 'flexible' },
    canceled_at: schedule.canceledAt,
    completed_at: schedule.completedAt,
    created,
    current_phase: status === 'active' ? { end_date: current.end, start_date: current.start } : null,
    customer: schedule.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: schedule.endBehavior,
    livemode: false,
    metadata: schedule.metadata,
    pause_schedules: [],
    phases: phases.map((each) => phaseObject(each, schedule.currency)),
    released_at: schedule.releasedAt,
    released_subscription: schedule.releasedSubscription,
    status,
    subscription: schedule.subscription,
    test_clock: null,
  };
}

function phaseObject(
  { price, quantity, start, end, trialEnd, proration, discounts, metadata }: SchedulePhase,
  currency: string,
) {
  const item = { billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity, tax_rates: [] };
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: end,
    invoice_settings: null,
    items: [item],
    metadata,
    on_behalf_of: null,
    proration_behavior: proration,
    start_date: start,
    transfer_data: null,
    trial_end: trialEnd,
  };
}
