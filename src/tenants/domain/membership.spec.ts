import { err, ok, type Result } from '../../platform/result';
import { TenantFailures } from '../tenants.failures';
import { Membership } from './membership';
import { Role } from './role';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('A membership', () => {
  it.each(Role.builtIn('tenant').map((role) => [role.name, role] as const))(
    'has the tenant, the id and the owner flag of the role %s',
    (_name, role) =>
      expect(Membership.create('ada', role, NOW)).toEqual({
        tenantId: 'tenant',
        userId: 'ada',
        id: expect.any(String),
        roleId: role.id,
        isOwner: role.name === 'Owner',
        joinedAt: NOW,
      }),
  );
});

describe('The role of a member', () => {
  const [owner, admin, member] = Role.builtIn('tenant');
  const withRole = (role: Role) => Membership.create('ada', role, NOW);
  const codeOf = (result: Result<unknown, string>) => (result.ok ? 'ok' : result.failure.code);

  it('changes, together with the owner flag that follows from it', () => {
    const membership = withRole(member);
    expect(codeOf(membership.changeRole(admin))).toBe('ok');
    expect(membership).toMatchObject({ roleId: admin.id, isOwner: false });
  });

  it.each([
    ['to Owner', member, owner],
    ['from Owner', owner, member],
  ])('does not change %s', (_way, from, to) => {
    const membership = withRole(from);
    expect(codeOf(membership.changeRole(to))).toBe('OWNER_ROLE_FIXED');
    expect(membership).toMatchObject({ roleId: from.id, isOwner: from.isOwner });
  });

  it('becomes Owner by a transfer, which makes the Owner an Admin', () => {
    const [before, after] = [withRole(owner), Membership.create('bob', member, NOW)];
    expect(before.transferOwnership(after, { owner, admin })).toEqual({ ok: true, value: after });
    expect(before).toMatchObject({ roleId: admin.id, isOwner: false });
    expect(after).toMatchObject({ userId: 'bob', roleId: owner.id, isOwner: true });
  });

  it('is not transferred by an Admin, nor to a user who is not a member', () => {
    const [another, self] = [withRole(member), withRole(owner)];
    expect(codeOf(withRole(admin).transferOwnership(another, { owner, admin }))).toBe('FORBIDDEN');
    expect(codeOf(self.transferOwnership(undefined, { owner, admin }))).toBe('NOT_FOUND');
    expect([another.isOwner, self.isOwner]).toEqual([false, true]);
  });
});

describe('Removing a member', () => {
  const [owner, admin, member] = Role.builtIn('tenant');

  it.each([
    ['is allowed for a Member', member, ok()],
    ['is allowed for an Admin', admin, ok()],
    ['is refused for the Owner', owner, err(TenantFailures.ownerCannotLeave)],
  ])('%s', (_rule, role, expected) => expect(Membership.create('ada', role, NOW).checkRemoval()).toEqual(expected));
});
