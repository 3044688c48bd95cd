import type { Subscription } from '../../subscriptions/domain/subscription';
import { isOver, localStatusOf, type SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';

/** Finds the stored subscription that a snapshot from Stripe belongs to. */
export class SubscriptionMatcher {
  private readonly byKey = new Map<string, Subscription>();

  /** @param rows the stored subscriptions that the snapshots may belong to */
  constructor(rows: readonly Subscription[]) {
    for (const row of rows) this.add(row, [row.processorSubscriptionId, row.processorCustomerId, row.tenantId]);
  }

  /**
   * Matches by subscription id, else customer id, else the tenant id in the metadata.
   * @returns undefined if none matches, or if the match belongs to another customer or tenant
   */
  find({ subscriptionId, customerId, tenantId }: SubscriptionSnapshot): Subscription | undefined {
    const row = this.byKey.get(subscriptionId) ?? this.byKey.get(customerId) ?? this.byKey.get(tenantId ?? '');
    const isOther =
      row && ((row.processorCustomerId ?? customerId) !== customerId || (tenantId ?? row.tenantId) !== row.tenantId);
    return isOther ? undefined : row;
  }

  /**
   * The snapshots by stored subscription. A customer that was matched belongs to that tenant from
   * here on, so that two tenants that name the same customer are not both served.
   */
  group(snapshots: readonly SubscriptionSnapshot[]): Map<Subscription, SubscriptionSnapshot[]> {
    const groups = new Map<Subscription, SubscriptionSnapshot[]>();
    for (const snapshot of snapshots) {
      const row = this.find(snapshot);
      if (!row) continue;
      this.add(row, [snapshot.subscriptionId, snapshot.customerId]);
      groups.set(row, [...(groups.get(row) ?? []), snapshot]);
    }
    return groups;
  }

  /**
   * Whether an operator should look at a live subscription: it matches no tenant, it is not the one
   * that its tenant is bound to, or its price or status is unknown.
   */
  isUnknown(snapshot: SubscriptionSnapshot): boolean {
    if (isOver(snapshot.status)) return false;
    return (
      this.find(snapshot)?.processorSubscriptionId !== snapshot.subscriptionId ||
      !snapshot.plan ||
      !localStatusOf(snapshot.status, snapshot.isCollectionPaused)
    );
  }

  private add(row: Subscription, keys: readonly (string | null)[]): void {
    for (const key of keys) if (key) this.byKey.set(key, row);
  }
}
