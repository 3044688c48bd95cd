import { ENTITLEMENTS, type EntitlementName, type Entitlements } from '../domain/entitlements';
import type { Plan } from '../domain/plan';
import { LIMITS } from '../../catalogue/domain/plan-catalogue';
import type { LimitName } from '../domain/plan-limits';
import type { EntitlementsUsed } from './entitlement-use';

/** One thing that a tenant may do, and how much of it is used. */
export interface EntitlementDetails {
  readonly name: EntitlementName;
  readonly isIncluded: boolean;
  /** Null: unlimited, or a feature. */
  readonly limit: number | null;
  /** Null: nothing is counted. */
  readonly used: number | null;
  /** The pending invitations, which count for seats. */
  readonly pending: number | null;
  readonly source: Plan | 'Override';
}

/** The entitlements of a tenant, limits first, with what it uses of them. */
export function listEntitlements(entitlements: Entitlements, used: EntitlementsUsed): EntitlementDetails[] {
  const { plan, limits, features, overridden } = entitlements;
  const counts: Partial<Record<LimitName, number>> = {
    ...used.counted,
    seats: used.seats.members,
    invitationsPerDay: used.invitationsPerDay,
  };
  const detailsOf = (name: EntitlementName) => {
    if (!isLimit(name)) return { isIncluded: features.includes(name), limit: null, used: null };
    return { isIncluded: limits[name] !== 0, limit: limits[name], used: counts[name] ?? null };
  };
  return ENTITLEMENTS.map((name) => ({
    name,
    ...detailsOf(name),
    pending: name === 'seats' ? used.seats.invitations : null,
    source: overridden.includes(name) ? 'Override' : plan,
  }));
}

const isLimit = (name: EntitlementName): name is LimitName => name in LIMITS;
