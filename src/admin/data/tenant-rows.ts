import { PLAN_COLUMNS } from '../../billing/billing.api';
import type { Database } from '../../platform/database/database';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';

/** The additional columns of an AdminTenantDetailView, of a subscription `s`. */
export const SUBSCRIPTION_DETAIL_COLUMNS = `,
         s.current_period_end AS "currentPeriodEnd", coalesce(s.cancel_at_period_end, false) AS "cancelAtPeriodEnd",
         s.trial_ends_at AS "trialEndsAt", s.updated_at AS "subscriptionUpdatedAt"`;

const selectTenants = (rows: string, more: string) => `
  SELECT r.id, r.name, r.created_at AS "createdAt", ${PLAN_COLUMNS}, s.processor_status AS "processorStatus",
         s.processor_customer_id AS "processorCustomerId", s.processor_subscription_id AS "processorSubscriptionId",
         (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = r.id) AS "memberCount",
         json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS owner${more}
    FROM (${rows}) r
    JOIN memberships o ON o.tenant_id = r.id AND o.is_owner
    JOIN users u ON u.id = o.user_id
    LEFT JOIN subscriptions s ON s.tenant_id = r.id
   ORDER BY r.id DESC`;

/**
 * Reads AdminTenantViews, newest first.
 * @param rows a statement with these parameters that selects rows of `tenants`
 * @param more further columns, of a tenant `r` and its subscription `s`
 */
export const readTenants = <View extends object>(
  database: Database,
  rows: string,
  parameters: unknown[],
  more = '',
): Promise<View[]> => database.readInTenant<View>(EVERY_TENANT, selectTenants(rows, more), parameters);
