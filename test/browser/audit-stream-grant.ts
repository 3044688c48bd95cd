import { DEMO_PASSWORD, DEMO_USERS } from '../../dev/demo-users';
import type { LocalMode } from './local-mode';

const DAYS = 9;

/** What an operator does in the panel: a tenant has audit streams, whatever its plan, for days. */
export async function grantAuditStreams(local: LocalMode, tenantId: string): Promise<void> {
  const admin = { email: DEMO_USERS[0].email, password: DEMO_PASSWORD };
  const { accessToken } = await local.call('POST', '/auth/login', admin);
  const endsAt = new Date(Date.now() + DAYS * 86_400_000).toISOString();
  const override = { entitlements: { auditStreaming: true }, endsAt, reason: 'Pilot' };
  await local.call('PUT', `/admin/tenants/${tenantId}/entitlements`, override, accessToken);
}
