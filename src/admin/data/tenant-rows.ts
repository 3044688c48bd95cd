import { PLAN_COLUMNS } from '../../billing/billing.api';
import type { Database } from '../../platform/database/database';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';

/** The additional columns of an AdminTenantDetailView, of a subscription `s`. */
export const SUBSCRIPTION_DETAIL_COLUMNS = `,
         s.current_period_end AS "currentPeriodEnd", coalesce(s.cancel_at_period_end, false) AS "cancelAtPeriodEnd",
         s.trial_ends_at AS "trialEndsAt", s.updated_at AS "subscriptionUpdatedAt"`;

/**
 * Each Owner and each subscription is looked up by its key: a plan for a page of unknown size would
 * read those of all tenants.
 */
const selectTenants = (rows: string, now: string, more: string) => `
  SELECT r.id, r.name, r.created_at AS "createdAt", ${PLAN_COLUMNS}, s.processor_status AS "processorStatus",
         s.processor_customer_id AS "processorCustomerId", s.processor_subscription_id AS "processorSubscriptionId",
         (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = r.id) AS "memberCount",
         (SELECT ends_at FROM entitlement_overrides WHERE tenant_id = r.id AND ends_at > ${now}) AS "overrideEndsAt",
         json_build_object('id', o.id, 'email', o.email, 'name', o.name) AS owner${more}
    FROM (${rows}) r
   CROSS JOIN LATERAL (
     SELECT u.id, u.email, u.name FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.tenant_id = r.id AND m.is_owner LIMIT 1) o
    LEFT JOIN LATERAL (SELECT * FROM subscriptions WHERE tenant_id = r.id LIMIT 1) s ON true
   ORDER BY r.id DESC`;

/** Which tenants are read, and what of them. */
interface TenantsToRead {
  /** A statement that selects rows of `tenants`. */
  readonly rows: string;
  readonly parameters: readonly unknown[];
  /** The time at which an override must be in force. */
  readonly now: Date;
  /** Further columns, of a tenant `r` and its subscription `s`. */
  readonly more?: string;
}

/** Reads AdminTenantViews, newest first. */
export const readTenants = <View extends object>(
  database: Database,
  { rows, parameters, now, more = '' }: TenantsToRead,
): Promise<View[]> =>
  database.readInTenant<View>(EVERY_TENANT, selectTenants(rows, `$${parameters.length + 1}`, more), [
    ...parameters,
    now,
  ]);
