/** Plan and status of a tenant in SQL, out of its row of subscriptions, `s`, or none: who never subscribed is Free from the first moment (contract section 5). */
export const PLAN_COLUMNS = `coalesce(s.plan, 'Free') AS plan, coalesce(s.status, 'Active') AS status`;
