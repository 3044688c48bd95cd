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
