import { send } from './request';
import type { Fixtures } from './fixtures';
import type { TestTenants } from './test-tenants';

/** The actors that send requests. */
export const ACTORS = ['nobody', 'member', 'owner', 'admin', 'impersonating'] as const;
export type ActorName = (typeof ACTORS)[number];

/** The access tokens of the actors of a set of test tenants. `nobody` has none. */
export type Tokens = Readonly<Partial<Record<ActorName, string>>>;

/** Signs all actors in. */
export async function signIn(address: string, fixtures: Fixtures, { users, own }: TestTenants): Promise<Tokens> {
  const [member, owner, admin] = await Promise.all(
    [users.member, users.owner, users.admin].map((user) => fixtures.session(user)),
  );
  const { status, text } = await send(address, {
    method: 'POST',
    path: `/api/v1/admin/users/${own.members}/impersonate`,
    query: '',
    headers: { authorization: `Bearer ${admin.accessToken}` },
    body: { reason: 'fuzz' },
  });
  if (status !== 200) throw new Error(`POST /admin/users/{id}/impersonate answered ${status}: ${text}`);
  const { accessToken: impersonating } = (JSON.parse(text) as { data: { accessToken: string } }).data;
  return { member: member.accessToken, owner: owner.accessToken, admin: admin.accessToken, impersonating };
}

/** Whether a token is still valid and its tenant still exists. */
export async function isIn(address: string, token: string): Promise<boolean> {
  const { status } = await send(address, {
    method: 'GET',
    path: '/api/v1/tenants/current',
    query: '',
    headers: { authorization: `Bearer ${token}` },
  });
  return status === 200;
}
