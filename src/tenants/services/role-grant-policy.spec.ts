import type { TenantActor } from '../../http/access/actor';
import type { Permission } from '../../platform/permissions';
import type { LockedMembership, MembershipRepository } from '../data/membership.repository';
import { Membership } from '../domain/membership';
import { Role } from '../domain/role';
import { RoleGrantPolicy } from './role-grant-policy';

const [, , MEMBER] = Role.builtIn('tenant');

type Rights = Readonly<Record<string, readonly Permission[]>>;

/** The policy over what the database holds now. */
function policyOver(stored: Rights): RoleGrantPolicy {
  const rows = new Map<string, LockedMembership>(
    Object.entries(stored).map(([userId, permissions]) => [
      userId,
      { membership: Membership.create(userId, MEMBER, new Date(0)), permissions },
    ]),
  );
  const memberships: Pick<MembershipRepository, 'lockSharedWithPermissions' | 'lockAllWithPermissions'> = {
    lockSharedWithPermissions: (_tenantId, userId) => Promise.resolve(rows.get(userId)),
    lockAllWithPermissions: () => Promise.resolve(rows),
  };
  return new RoleGrantPolicy(memberships as MembershipRepository);
}
/** Ada, with the permissions of her token. */
const ada = (...permissions: string[]) =>
  ({ userId: 'ada', principal: {}, tenantId: 'tenant', permissions }) as unknown as TenantActor;
/** The key of a service account. */
const keyOf = (createdBy: string | null, ...permissions: string[]) =>
  ({
    userId: null,
    principal: { kind: 'service', createdBy },
    tenantId: 'tenant',
    permissions,
  }) as unknown as TenantActor;

describe('What a member may grant', () => {
  it.each<[string, string[], Rights, string[]]>([
    ['is held by token and database', ['tenant.roles.read'], { ada: ['tenant.roles.read'] }, ['tenant.roles.read']],
    ['is not what only the token still holds', ['tenant.roles.read'], { ada: [] }, []],
    ['is not what only the database holds yet', [], { ada: ['tenant.roles.read'] }, []],
    ['is nothing after the removal from the tenant', ['tenant.roles.read'], {}, []],
  ])('%s', async (_rule, token, stored, expected) => {
    const policy = policyOver(stored);
    expect(await policy.grantablePermissions(ada(...token))).toEqual(expected);
    expect((await policy.lockMemberChange(ada(...token), 'eve')).grantable).toEqual(expected);
  });
});

describe('What the key of a service account may grant and revoke', () => {
  const [read, audit] = ['tenant.roles.read', 'tenant.audit.read'] as const;

  it.each<[string, string | null, Rights, readonly Permission[]]>([
    ['is what it may do and its creator still holds', 'ada', { ada: [read, audit] }, [read]],
    ['is not what its creator no longer holds', 'ada', { ada: [audit] }, []],
    ['is nothing after its creator left', 'ada', {}, []],
    ['is nothing after the account of its creator was deleted', null, {}, []],
  ])('%s', async (_rule, createdBy, stored, expected) => {
    const policy = policyOver({ ...stored, eve: [read] });
    const key = keyOf(createdBy, read);
    expect(await policy.grantablePermissions(key)).toEqual(expected);
    const { grantable, mayRevoke } = await policy.lockMemberChange(key, 'eve');
    expect({ grantable, mayRevoke: mayRevoke.ok }).toEqual({ grantable: expected, mayRevoke: expected.length > 0 });
  });
});

describe('What a member may revoke', () => {
  it.each<[string, string, string[], Rights, string]>([
    [
      'is what both hold',
      'eve',
      ['tenant.roles.read'],
      { ada: ['tenant.roles.read'], eve: ['tenant.roles.read'] },
      'ok',
    ],
    [
      'is not what only the other holds',
      'eve',
      ['tenant.roles.read'],
      { ada: ['tenant.roles.read'], eve: ['tenant.audit.read'] },
      'PERMISSION_NOT_HELD',
    ],
    [
      'is not what the other and a stale token hold',
      'eve',
      ['tenant.roles.read'],
      { ada: [], eve: ['tenant.roles.read'] },
      'PERMISSION_NOT_HELD',
    ],
    ['is always the own role', 'ada', [], { ada: ['tenant.roles.read'] }, 'ok'],
  ])('%s', async (_rule, target, token, stored, expected) => {
    const change = await policyOver(stored).lockMemberChange(ada(...token), target);
    expect(change.target?.permissions).toEqual(stored[target]);
    expect(change.mayRevoke.ok ? 'ok' : change.mayRevoke.failure.code).toBe(expected);
  });

  it('is undecided for a user who is not a member: there is no target', async () =>
    expect((await policyOver({ ada: [] }).lockMemberChange(ada(), 'eve')).target).toBeUndefined());
});
