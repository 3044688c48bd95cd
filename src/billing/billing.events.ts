import { DomainEvent, UnrecordedEvent, type ActorRef } from '../platform/domain-events';
import type { TenantOwner } from '../tenants/tenants.api';
import type { EntitlementOverride } from './entitlements/domain/entitlement-override';
import type { Plan } from './entitlements/domain/plan';
import type { BillingNotice } from './subscriptions/domain/billing-notice';
import type { Subscription } from './subscriptions/domain/subscription';

/** The actor of a change that Stripe caused, not a user. */
export const SYSTEM: ActorRef = { userId: null, impersonatorId: null };

/** The fields of a subscription that the audit log keeps. */
export type SubscriptionFacts = Pick<Subscription, 'plan' | 'status' | 'cancelAtPeriodEnd'>;

/** A tenant's subscription has changed. The audit log is its history. */
export class SubscriptionChanged extends DomainEvent {
  /** @param cause `event evt_…`, `sync`, `schedule` or `operator` */
  constructor(
    by: ActorRef,
    tenantId: string,
    before: SubscriptionFacts,
    after: Subscription,
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
    super('subscription.changed', by, tenantId, { type: 'subscription', id: tenantId }, data);
  }
}

export const factsOf = ({ plan, status, cancelAtPeriodEnd }: SubscriptionFacts): SubscriptionFacts => ({
  plan,
  status,
  cancelAtPeriodEnd,
});

/** What a member has requested. The change itself is recorded once Stripe reports it. */
export class PlanChangeRequested extends DomainEvent {
  constructor(
    by: ActorRef,
    tenantId: string,
    change: { readonly plan: Plan; readonly interval: string | null; readonly when: 'now' | 'period-end' },
  ) {
    const { plan, interval, when } = change;
    super(
      'billing.plan-change-requested',
      by,
      tenantId,
      { type: 'subscription', id: tenantId },
      { plan, interval, when },
    );
  }
}

/** A member has canceled the subscription for the end of its period. */
export class CancellationRequested extends DomainEvent {
  constructor(by: ActorRef, tenantId: string) {
    super('billing.cancellation-requested', by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** A member has dropped the planned cancellation or change of the subscription. */
export class ResumptionRequested extends DomainEvent {
  constructor(by: ActorRef, tenantId: string) {
    super('billing.resumption-requested', by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** An operator had a tenant's subscription read from Stripe. */
export class SubscriptionSynced extends DomainEvent {
  constructor(by: ActorRef, tenantId: string) {
    super('subscription.synced', by, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** An operator has moved the end of a trial. */
export class TrialExtended extends DomainEvent {
  constructor(by: ActorRef, tenantId: string, extension: { readonly endsAt: Date; readonly reason: string }) {
    const { endsAt, reason } = extension;
    const data = { endsAt: endsAt.toISOString(), reason };
    super('subscription.trial-extended', by, tenantId, { type: 'subscription', id: tenantId }, data);
  }
}

abstract class OverrideEvent extends DomainEvent {
  constructor(action: string, by: ActorRef, override: EntitlementOverride) {
    const { tenantId, plan, entitlements, endsAt, reason } = override;
    const data = { plan, entitlements, endsAt: endsAt.toISOString(), reason };
    super(action, by, tenantId, { type: 'entitlements', id: tenantId }, data);
  }
}

/** An operator has given a tenant a plan or single entitlements until a time. */
export class EntitlementsOverridden extends OverrideEvent {
  constructor(by: ActorRef, override: EntitlementOverride) {
    super('entitlements.overridden', by, override);
  }
}

/** An operator has ended that before its time. */
export class EntitlementOverrideEnded extends OverrideEvent {
  constructor(by: ActorRef, override: EntitlementOverride) {
    super('entitlements.override-ended', by, override);
  }
}

/** An operator started a sync of all subscriptions. */
export class SyncStarted extends DomainEvent {
  constructor(by: ActorRef, runId: string) {
    super('sync.begun', by, null, { type: 'sync-run', id: runId });
  }
}

/** An operator replayed a stored webhook event. */
export class WebhookEventReplayed extends DomainEvent {
  constructor(
    by: ActorRef,
    event: { readonly id: string; readonly eventId: string; readonly tenantId: string | null },
  ) {
    const { id, eventId, tenantId } = event;
    super('webhook-event.replayed', by, tenantId, { type: 'webhook-event', id }, { eventId });
  }
}

/** The Owner must be informed about a change of the subscription, by notification and email. */
export class BillingNoticeIssued extends UnrecordedEvent {
  constructor(
    readonly owner: TenantOwner,
    readonly plan: Plan,
    readonly notice: BillingNotice,
  ) {
    super('subscription.notice-issued', SYSTEM, owner.tenantId, { type: 'subscription', id: owner.tenantId });
  }
}

/** A tenant's subscription should be read from Stripe soon. */
export class SyncRequested extends UnrecordedEvent {
  constructor(tenantId: string) {
    super('subscription.sync-requested', SYSTEM, tenantId, { type: 'subscription', id: tenantId });
  }
}

/** Stripe bills another number of seats than the tenant has members. */
export class BilledSeatsDiffer extends UnrecordedEvent {
  constructor(tenantId: string) {
    super('subscription.seats-differ', SYSTEM, tenantId, { type: 'subscription', id: tenantId });
  }
}
