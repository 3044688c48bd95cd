import { ALL_PERMISSIONS } from '../../platform/permissions';
import { isBuiltInName, permissionsOf } from './built-in-roles';

const builtIn = (name: string) => permissionsOf({ name, isBuiltIn: true, permissions: [] });

describe('The permissions of a role', () => {
  it('are all for Owner', () => expect(builtIn('Owner')).toEqual(ALL_PERMISSIONS));

  it('are all but the management of billing for Admin', () =>
    expect(ALL_PERMISSIONS.filter((permission) => !builtIn('Admin').includes(permission))).toEqual([
      'tenant.billing.manage',
    ]));

  it('are reading and the work on projects for Member', () =>
    expect(builtIn('Member')).toEqual([
      'tenant.settings.read',
      'tenant.members.read',
      'tenant.roles.read',
      'tenant.projects.read',
      'tenant.projects.manage',
    ]));

  it.each<[string, boolean, string[], string[]]>([
    [
      'of a custom role, in the order of the catalogue',
      false,
      ['tenant.audit.read', 'tenant.roles.read'],
      ['tenant.roles.read', 'tenant.audit.read'],
    ],
    [
      'of a custom role without those that no longer exist',
      false,
      ['tenant.lasers.fire', 'tenant.roles.read'],
      ['tenant.roles.read'],
    ],
    ['of a custom role that happens to be called Owner', false, [], []],
  ])('are those stored %s', (_which, isBuiltIn, permissions, expected) =>
    expect(permissionsOf({ name: 'Owner', isBuiltIn, permissions })).toEqual(expected),
  );

  it('of a built-in role are those of the code, whatever is stored', () =>
    expect(permissionsOf({ name: 'Member', isBuiltIn: true, permissions: ['tenant.billing.manage'] })).not.toContain(
      'tenant.billing.manage',
    ));
});

describe('The name of a role', () => {
  it.each([
    ['Owner', true],
    ['oWnEr', true],
    ['ADMIN', true],
    ['member', true],
    ['Members', false],
    ['Co-Owner', false],
    ['toString', false],
  ])('%s is built in: %s', (name, expected) => expect(isBuiltInName(name)).toBe(expected));
});
