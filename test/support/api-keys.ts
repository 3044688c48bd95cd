import { addSeconds, DAY } from '../../src/platform/clock';
import type { Permission } from '../../src/platform/permissions';
import { bearer, type Bearer, type Member } from './actors';
import type { TestApp } from './app';

/** A key of a service account of its own. */
export interface ServiceKey extends Bearer {
  readonly id: string;
  readonly serviceAccountId: string;
  /** The key itself. */
  readonly key: string;
}

/** A new service account in the owner's tenant. @returns its id */
export async function newServiceAccount(t: TestApp, owner: Member, name = 'Import'): Promise<string> {
  const { body } = await t.api.post('/tenants/current/service-accounts').set(owner.bearer).send({ name }).expect(200);
  return (body as { data: { id: string } }).data.id;
}

/**
 * A key of a new service account in the owner's tenant.
 * @param terms other fields of the body
 */
export async function newServiceKey(
  t: TestApp,
  owner: Member,
  permissions: Permission[],
  terms: object = {},
): Promise<ServiceKey> {
  const serviceAccountId = await newServiceAccount(t, owner);
  const { body } = await t.api
    .post(`/tenants/current/service-accounts/${serviceAccountId}/keys`)
    .set(owner.bearer)
    .send({ name: 'Production', permissions, ...terms })
    .expect(200);
  const { id, key } = (body as { data: { id: string; key: string } }).data;
  return { id, serviceAccountId, key, bearer: bearer(key) };
}

/** A personal token of a member for the active tenant, for a day. */
export async function newPersonalToken(
  t: TestApp,
  member: Member,
  permissions: Permission[],
): Promise<Omit<ServiceKey, 'serviceAccountId'>> {
  const expiresAt = addSeconds(t.clock.now(), DAY);
  const { body } = await t.api
    .post('/users/me/tokens')
    .set(member.bearer)
    .send({ name: 'Laptop', permissions, expiresAt })
    .expect(200);
  const { id, key } = (body as { data: { id: string; key: string } }).data;
  return { id, key, bearer: bearer(key) };
}
