import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { DomainEvents, NO_ACTOR, type DomainEvent } from '../../../platform/domain-events';
import { TenantOwners } from '../../../tenants/tenants.api';
import { BillingNoticeIssued, factsOf, SubscriptionChanged, SubscriptionRecovered } from '../../billing.events';
import { RevenueMovements } from '../../revenue/services/revenue-movements';
import { WebhookEventRepository } from '../../webhooks/data/webhook-event.repository';
import { SeatComparison } from '../../seats/services/seat-comparison';
import { SubscriptionRepository } from '../data/subscription.repository';
import type { Subscription } from '../domain/subscription';

/**
 * Stores subscriptions that Stripe or the schedule has changed, in the running transaction, and
 * publishes their events. Audit entries, notifications and emails come from listeners.
 */
@Injectable()
export class SubscriptionWriter {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly webhookEvents: WebhookEventRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly seatComparison: SeatComparison,
    private readonly movements: RevenueMovements,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the changed ones. A change is discarded if a newer event was already applied that left
   * the row as it was. Also publishes which of them, changed or not, bill other seats than there
   * are members.
   * @param cause `sync` or `schedule`
   * @param at    events after that time, by Stripe's clock, may be newer than what is stored
   */
  async save(subscriptions: readonly Subscription[], cause: string, at: Date): Promise<void> {
    const changed = subscriptions.filter(({ isChanged }) => isChanged);
    const keys = { subscriptionIds: [], customerIds: [], tenantIds: changed.map(({ tenantId }) => tenantId) };
    const overtaken = changed.length > 0 ? await this.webhookEvents.overtaken(keys, at) : undefined;
    for (const subscription of changed) if (overtaken?.has(subscription.tenantId)) subscription.discardChanges();
    await this.saveLatest(subscriptions, cause);
    const differing = await this.seatComparison.eventsFor(subscriptions);
    if (differing.length > 0) await this.events.publish(...differing);
  }

  /**
   * Stores the changed ones, of which nothing newer is known. Does not compare the seats: the
   * reading that follows each event does.
   * @param cause `event evt_…`, `sync` or `schedule`
   */
  async saveLatest(subscriptions: readonly Subscription[], cause: string): Promise<void> {
    const changed = subscriptions.filter(({ isChanged }) => isChanged);
    for (const subscription of changed) if (subscription.isVisiblyChanged) subscription.touch(this.clock.now());
    await this.subscriptions.save(changed);
    await this.movements.record(changed);
    const events = [
      ...changed.flatMap((subscription) => changeEvents(subscription, cause)),
      ...(await this.noticeEvents(changed)),
    ];
    if (events.length > 0) await this.events.publish(...events);
  }

  /** Addressed to the current Owner, with the plan after the change; and the recoveries. */
  private async noticeEvents(subscriptions: readonly Subscription[]): Promise<DomainEvent[]> {
    const pulled = subscriptions.flatMap((subscription) => {
      const { tenantId, plan } = subscription;
      return subscription.pullNotices().map((notice) => ({ tenantId, plan, notice, subscription }));
    });
    if (pulled.length === 0) return [];
    const recovered = pulled.filter(({ notice }) => notice.kind === 'PaymentRecovered');
    const owners = await this.tenantOwners.of([...new Set(pulled.map(({ tenantId }) => tenantId))]);
    const notices = pulled.flatMap(({ tenantId, plan, notice }) => {
      const owner = owners.get(tenantId);
      return owner ? new BillingNoticeIssued(owner, plan, notice) : [];
    });
    return [...recovered.map(({ subscription }) => new SubscriptionRecovered(subscription)), ...notices];
  }
}

/** The audit log records changes of plan and status, not of dates. */
function changeEvents(subscription: Subscription, cause: string): SubscriptionChanged[] {
  const { tenantId, loaded } = subscription;
  if (JSON.stringify(factsOf(loaded)) === JSON.stringify(factsOf(subscription))) return [];
  return [new SubscriptionChanged(NO_ACTOR, tenantId, loaded, subscription, cause)];
}
