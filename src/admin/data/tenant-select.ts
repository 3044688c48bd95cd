import { PLAN_COLUMNS } from '../../billing/billing.api';

/** The additional columns of an AdminTenantDetailView, of a subscription `s`. */
export const SUBSCRIPTION_DETAIL_COLUMNS = `,
         s.current_period_end AS "currentPeriodEnd", coalesce(s.cancel_at_period_end, false) AS "cancelAtPeriodEnd",
         s.trial_ends_at AS "trialEndsAt", s.updated_at AS "subscriptionUpdatedAt"`;

/**
 * Selects the rows of AdminTenantViews, newest first.
 * @param rows a statement that selects rows of `tenants`
 * @param more further columns, of a tenant `r` and its subscription `s`
 */
export const selectTenants = (rows: string, more = '') => `
  SELECT r.id, r.name, r.created_at AS "createdAt", ${PLAN_COLUMNS}, s.processor_status AS "processorStatus",
         s.processor_customer_id AS "processorCustomerId", s.processor_subscription_id AS "processorSubscriptionId",
         (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = r.id) AS "memberCount",
         json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS owner${more}
    FROM (${rows}) r
    JOIN memberships o ON o.tenant_id = r.id AND o.is_owner
    JOIN users u ON u.id = o.user_id
    LEFT JOIN subscriptions s ON s.tenant_id = r.id
   ORDER BY r.id DESC`;
