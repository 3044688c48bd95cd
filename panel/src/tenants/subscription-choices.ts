import type { Schemas } from '@tenantry/client';

type Tenant = Schemas['AdminTenantView'];

/** What a tenant can be subscribed to. */
export const PLANS = ['Free', 'Pro', 'Business'] as const satisfies readonly Tenant['plan'][];

/** What can have become of its subscription. */
export const STATUSES = [
  'Active',
  'Trialing',
  'PastDue',
  'Paused',
  'Canceled',
] as const satisfies readonly Tenant['status'][];
