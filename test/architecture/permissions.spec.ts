import { RequirePermission } from '../../src/http/access/access.decorators';
import { ALL_PERMISSIONS, PERMISSIONS, type Permission } from '../../src/platform/permissions';
import { permissionsOf } from '../../src/tenants/domain/built-in-roles';

// `npm run types` fails if an expected error does not occur: if an unknown permission compiles.
// @ts-expect-error the permission does not exist
RequirePermission('tenant.everything');
// @ts-expect-error permissions are compared exactly
RequirePermission('Tenant.Settings.Read');
// @ts-expect-error a string is not a permission
const anyText: Permission = String('tenant.settings.read');

describe('Permissions', () => {
  // After a change of the catalogue, run this file with -u and have the snapshot reviewed.
  it('are those of the reviewed catalogue', () => expect(PERMISSIONS).toMatchSnapshot());

  it('that are unknown do not compile', () => {
    expect(anyText).toBe('tenant.settings.read');
    expect(() => RequirePermission('tenant.settings.read')).not.toThrow();
  });

  it.each([
    ['Owner', true, [], ALL_PERMISSIONS],
    ['Admin', true, [], ALL_PERMISSIONS.filter((permission) => permission !== 'tenant.billing.manage')],
    [
      'Member',
      true,
      [],
      [
        'tenant.settings.read',
        'tenant.members.read',
        'tenant.roles.read',
        'tenant.projects.read',
        'tenant.projects.manage',
      ],
    ],
    ['Owner', false, ['tenant.audit.read'], ['tenant.audit.read']],
    [
      'Auditor',
      false,
      ['tenant.audit.read', 'tenant.gone', 'tenant.settings.read'],
      ['tenant.settings.read', 'tenant.audit.read'],
    ],
  ])('of a role called %s (built-in: %s) with %j are %j', (name, isBuiltIn, permissions, granted) => {
    expect(permissionsOf({ name, isBuiltIn, permissions })).toEqual(granted);
  });
});
