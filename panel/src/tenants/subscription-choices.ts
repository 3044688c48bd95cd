import type { Schemas } from '@tenantry/client';

type Tenant = Schemas['AdminTenantView'];

/** The plans, cheapest first. */
export const PLANS = ['Free', 'Pro', 'Business'] as const satisfies readonly Tenant['plan'][];

/** The statuses of a subscription. */
export const STATUSES = [
  'Active',
  'Trialing',
  'PastDue',
  'Paused',
  'Canceled',
] as const satisfies readonly Tenant['status'][];
