import { PLAN_CATALOGUE, type Feature } from '../../catalogue/domain/plan-catalogue';
import { PLANS, type Plan } from '../domain/plan';

/** A filter by what tenants may do. Given fields must all match. */
export interface EntitlementFilter {
  /** A feature that they have, by their plan or by an override. */
  readonly entitlement?: Feature;
  /** Whether an override of an operator is in force. */
  readonly override?: boolean;
}

/** An SQL condition for a tenant, `r`. */
export interface EntitlementCondition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /**
   * The ids of all tenants that may match, found by an index, as a sub-select; undefined if they
   * are nearly all.
   */
  readonly among?: string;
}

/**
 * The plan of a row of subscriptions, `s`, that counts: the SQL equivalent of
 * `Subscription.planInForce`. Null for a missing row.
 */
const PLAN_IN_FORCE = `CASE WHEN s.status IN ('Canceled', 'Paused')
    OR (s.status = 'PastDue' AND s.processor_status = 'incomplete') THEN 'Free' ELSE s.plan END`;

const listOf = (plans: readonly Plan[]) => plans.map((plan) => `'${plan}'`).join(', ');
const ALL_PLANS = `ARRAY[${listOf(PLANS)}]`;

/** The higher one of that and of the given plan; Free without both. */
const EFFECTIVE_PLAN = `(${ALL_PLANS})[greatest(1, array_position(${ALL_PLANS}, ${PLAN_IN_FORCE}),
    array_position(${ALL_PLANS}, o.plan))]`;

/**
 * The condition that a tenant has a feature and an override: the SQL equivalent of
 * `entitlementsOf`.
 * @param first the number of the first parameter
 */
export function entitlementCondition(
  { entitlement, override }: EntitlementFilter,
  now: Date,
  first: number,
): EntitlementCondition | undefined {
  const given = `entitlement_overrides o WHERE o.ends_at > $${first}`;
  const isGiven = `EXISTS (SELECT FROM ${given} AND o.tenant_id = r.id)`;
  const overrides = override === undefined ? [] : [override ? isGiven : `NOT ${isGiven}`];
  const ofOverride = override ? `SELECT o.tenant_id AS id FROM ${given}` : undefined;
  if (entitlement === undefined)
    return overrides.length > 0 ? { sql: overrides[0], parameters: [now], among: ofOverride } : undefined;
  const plans = PLANS.filter((plan) => PLAN_CATALOGUE[plan].entitlements.features.includes(entitlement));
  const sql = [...overrides, hasFeature(plans, `$${first}`, `$${first + 1}`)].join(' AND ');
  return { sql, parameters: [now, entitlement], among: ofOverride ?? among(plans, given) };
}

/**
 * A sub-select of one row instead of EXISTS: it looks up each tenant by its keys, and is never
 * planned as a list of all tenants with the feature.
 */
const hasFeature = (plans: readonly Plan[], now: string, feature: string): string => `
  (SELECT coalesce((o.entitlements ->> ${feature}::text)::boolean, ${isOneOf(plans)}) FROM (SELECT r.id) t
     LEFT JOIN subscriptions s ON s.tenant_id = t.id
     LEFT JOIN entitlement_overrides o ON o.tenant_id = t.id AND o.ends_at > ${now})`;

const isOneOf = (plans: readonly Plan[]) => (plans.length > 0 ? `${EFFECTIVE_PLAN} IN (${listOf(plans)})` : 'false');

function among(plans: readonly Plan[], given: string): string | undefined {
  if (plans.includes('Free')) return undefined; // also tenants without a subscription
  const bought = plans.map((plan) => `SELECT s.tenant_id AS id FROM subscriptions s WHERE s.plan = '${plan}'`);
  return [...bought, `SELECT o.tenant_id AS id FROM ${given}`].join(' UNION ');
}
