import type { Clock } from '../../../platform/clock';
import type { Subscription } from '../../subscriptions/domain/subscription';
import { detailsOf, type SubscriptionDetails } from '../../subscriptions/services/subscription-details';
import type { EntitlementOverride } from '../domain/entitlement-override';
import { entitlementsOf, type EntitlementGrant, type Entitlements } from '../domain/entitlements';
import type { Plan } from '../domain/plan';

/**
 * The subscription of the tenant that is active in a request, and what the tenant may do
 * (docs/specification.md, Subscription).
 */
export interface CurrentSubscription {
  /** The plan whose features the tenant has: that of its subscription, or one that it was given. */
  readonly planInForce: Plan;
  readonly entitlements: Entitlements;
  /** What an operator has given to the tenant for now. */
  readonly override: OverrideInForce | null;
  readonly view: SubscriptionDetails;
}

/** An override as it is cached. Times are ISO 8601 strings. */
interface OverrideInForce extends EntitlementGrant {
  readonly endsAt: string;
}

interface StoredOverride extends OverrideInForce {
  readonly updatedAt: string;
}

/** What the plan cache stores for a tenant. */
export interface PlanEntry extends CurrentSubscription {
  readonly subscribedPlan: Plan;
  /**
   * The stored override, which may have ended; null: the tenant never had one; undefined: not
   * known, because a subscription was stored without it.
   */
  readonly stored?: StoredOverride | null;
}

/** What is cached of a tenant's subscription and its override, if that is known. */
export function entryOf(
  tenantId: string,
  subscription: Subscription | undefined,
  override: EntitlementOverride | null | undefined,
  clock: Clock,
): PlanEntry {
  const view = Object.freeze(detailsOf(tenantId, subscription));
  return entryWith(subscription?.planInForce ?? 'Free', view, override && storedOf(override), clock);
}

/** The newer subscription and the newer override of an entry and the one that was cached before. */
export function newestOf(entry: PlanEntry, known: PlanEntry | undefined, clock: Clock): PlanEntry {
  if (!known) return entry;
  const isOlder = versionOf(entry) < versionOf(known);
  const lacksOverride = entry.stored === undefined || (entry.stored?.updatedAt ?? '') < (known.stored?.updatedAt ?? '');
  if (isOlder && lacksOverride) return known;
  const { subscribedPlan, view } = isOlder ? known : entry;
  return entryWith(subscribedPlan, view, (lacksOverride ? known : entry).stored, clock);
}

/** Whether an entry can be used: it knows the override, which has not ended since. */
export const isUsable = ({ stored, override }: PlanEntry, clock: Clock): boolean =>
  stored !== undefined && (override === null || isInForce(override, clock));

function entryWith(
  subscribedPlan: Plan,
  view: SubscriptionDetails,
  stored: StoredOverride | null | undefined,
  clock: Clock,
): PlanEntry {
  const override = stored && isInForce(stored, clock) ? stored : null;
  const entitlements = Object.freeze(entitlementsOf(subscribedPlan, override ?? undefined));
  return Object.freeze({ planInForce: entitlements.plan, entitlements, override, view, subscribedPlan, stored });
}

const isInForce = ({ endsAt }: OverrideInForce, clock: Clock) => clock.now().toISOString() < endsAt;

const storedOf = ({ plan, entitlements, endsAt, updatedAt }: EntitlementOverride): StoredOverride => ({
  plan,
  entitlements,
  endsAt: endsAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** ISO 8601 strings of one time zone sort by time. */
const versionOf = ({ view }: PlanEntry) => view.updatedAt ?? '';
