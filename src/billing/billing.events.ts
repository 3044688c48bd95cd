import { DomainEvent, NO_ACTOR, UnrecordedEvent, type ActorRef } from '../platform/domain-events';
import type { TenantOwner } from '../tenants/tenants.api';
import type { PlannedChange } from './changes/domain/planned-change';
import type { EntitlementOverride } from './entitlements/domain/entitlement-override';
import type { Plan } from './entitlements/domain/plan';
import type { InvoicePayment } from './stripe/stripe-refunds';
import type { BillingNotice } from './subscriptions/domain/billing-notice';
import type { Subscription } from './subscriptions/domain/subscription';

/** The fields of a subscription that the audit log keeps. */
export type SubscriptionFacts = Pick<Subscription, 'plan' | 'status' | 'cancelAtPeriodEnd'>;

/** A tenant's subscription has changed. The audit log is its history. */
export class SubscriptionChanged extends DomainEvent {
  static readonly action = 'subscription.changed';

  /** @param cause `event evt_…`, `sync`, `schedule` or `operator` */
  constructor(
    by: ActorRef,
    tenantId: string,
    readonly before: SubscriptionFacts,
    readonly after: Subscription,
    cause: string,
    reason: string | null = null,
  ) {
    const { processorSubscriptionId } = after;
    const data = {
      before: factsOf(before),
      after: factsOf(after),
      processorSubscriptionId,
      cause,
      ...(reason ? { reason } : {}),
    };
    super(by, tenantId, { type: 'subscription', id: tenantId }, data);
  }
}

export const factsOf = ({ plan, status, cancelAtPeriodEnd }: SubscriptionFacts): SubscriptionFacts => ({
  plan,
  status,
  cancelAtPeriodEnd,
});

/**
 * What a member has requested, before Stripe is called. The change itself is recorded once Stripe
 * reports it.
 */
export class PlanChangeRequested extends DomainEvent {
  static readonly action = 'billing.plan-change-requested';

  constructor(
    by: ActorRef,
    tenantId: string,
    change: { readonly plan: Plan; readonly interval: string | null; readonly when: 'now' | 'period-end' },
  ) {
    const { plan, interval, when } = change;
    super(by, tenantId, { type: 'subscription', id: tenantId }, { plan, interval, when });
  }
}

/** A member has requested the end of the subscription. */
export class CancellationRequested extends DomainEvent {
  static readonly action = 'billing.cancellation-requested';

  constructor(by: ActorRef, tenantId: string) {
    super(by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** A member has requested to keep the subscription: without a planned change, end or pause. */
export class ResumptionRequested extends DomainEvent {
  static readonly action = 'billing.resumption-requested';

  constructor(by: ActorRef, tenantId: string) {
    super(by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** A payment for a tenant was refunded, because it was made after the tenant was deleted. */
export class PaymentRefunded extends DomainEvent {
  static readonly action = 'billing.payment-refunded';

  constructor(tenantId: string, { invoiceId, amount, currency }: InvoicePayment) {
    super(NO_ACTOR, null, { type: 'tenant', id: tenantId }, { invoiceId, amount, currency });
  }
}

/** An operator had a tenant's subscription read from Stripe. */
export class SubscriptionSynced extends DomainEvent {
  static readonly action = 'subscription.synced';

  constructor(by: ActorRef, tenantId: string) {
    super(by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** An operator has requested a later end of a trial. */
export class TrialExtensionRequested extends DomainEvent {
  static readonly action = 'subscription.trial-extension-requested';

  constructor(by: ActorRef, tenantId: string, extension: { readonly endsAt: Date; readonly reason: string }) {
    const { endsAt, reason } = extension;
    const data = { endsAt: endsAt.toISOString(), reason };
    super(by, tenantId, { type: 'subscription', id: tenantId }, data);
  }
}

abstract class OverrideEvent extends DomainEvent {
  constructor(by: ActorRef, override: EntitlementOverride) {
    const { tenantId, plan, entitlements, endsAt, reason } = override;
    const data = { plan, entitlements, endsAt: endsAt.toISOString(), reason };
    super(by, tenantId, { type: 'entitlements', id: tenantId }, data);
  }
}

/** An operator has given a tenant a plan or single entitlements until a time. */
export class EntitlementsOverridden extends OverrideEvent {
  static readonly action = 'entitlements.overridden';
}

/** An operator has ended that before its time. */
export class EntitlementOverrideEnded extends OverrideEvent {
  static readonly action = 'entitlements.override-ended';
}

/** An operator started a sync of all subscriptions. */
export class SyncStarted extends DomainEvent {
  static readonly action = 'sync.begun';

  constructor(by: ActorRef, runId: string) {
    super(by, null, { type: 'sync-run', id: runId });
  }
}

/** An operator replayed a stored webhook event. */
export class WebhookEventReplayed extends DomainEvent {
  static readonly action = 'webhook-event.replayed';

  constructor(
    by: ActorRef,
    event: { readonly id: string; readonly eventId: string; readonly tenantId: string | null },
  ) {
    const { id, eventId, tenantId } = event;
    super(by, tenantId, { type: 'webhook-event', id }, { eventId });
  }
}

/** The Owner must be informed about a change of the subscription, by notification and email. */
export class BillingNoticeIssued extends UnrecordedEvent {
  static readonly action = 'subscription.notice-issued';

  constructor(
    readonly owner: TenantOwner,
    readonly plan: Plan,
    readonly notice: BillingNotice,
  ) {
    super(NO_ACTOR, owner.tenantId, { type: 'subscription', id: owner.tenantId });
  }
}

/** A payment succeeded after one that failed. */
export class SubscriptionRecovered extends UnrecordedEvent {
  static readonly action = 'subscription.recovered';

  constructor(readonly after: Subscription) {
    super(NO_ACTOR, after.tenantId, { type: 'subscription', id: after.tenantId });
  }
}

/** A tenant's subscription should be read from Stripe soon. */
export class SyncRequested extends UnrecordedEvent {
  static readonly action = 'subscription.sync-requested';

  constructor(tenantId: string) {
    super(NO_ACTOR, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** A change was made while another one was planned, which is still to be dropped. */
export class PlannedChangeReplaced extends UnrecordedEvent {
  static readonly action = 'subscription.planned-change-replaced';

  constructor(
    readonly subscriber: string,
    readonly planned: PlannedChange,
  ) {
    super(NO_ACTOR, subscriber, { type: 'subscription', id: subscriber });
  }
}

/** Stripe bills another number of seats than the tenant has members. */
export class BilledSeatsDiffer extends UnrecordedEvent {
  static readonly action = 'subscription.seats-differ';

  constructor(tenantId: string) {
    super(NO_ACTOR, tenantId, { type: 'subscription', id: tenantId });
  }
}
