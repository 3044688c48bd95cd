import { DomainEvent, type ActorRef } from '../platform/domain-events';
import type { Subscription } from './subscriptions/domain/subscription';

/** The processor did it, not a person. */
export const NOBODY: ActorRef = { userId: null, impersonatorId: null };

/** What of a subscription people should be able to look back at. */
export type SubscriptionFacts = Pick<Subscription, 'plan' | 'status' | 'cancelAtPeriodEnd'>;

/** A tenant's subscription is another than before; the audit log is its history. */
export class SubscriptionChanged extends DomainEvent {
  /** @param cause `event evt_…`, `sync` or `operator` */
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
