import type { EntitlementOverride } from '../domain/entitlement-override';

/** An override as operators see it. */
export const overrideDetails = (override: EntitlementOverride) => {
  const { plan, entitlements, endsAt, reason, createdBy, createdAt } = override;
  return {
    plan,
    entitlements,
    endsAt: endsAt.toISOString(),
    reason,
    createdBy,
    createdAt: createdAt.toISOString(),
  };
};
