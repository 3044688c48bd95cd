import { ALL_PERMISSIONS } from '../../platform/permissions';
import { permissionsOf, problemOfRoleName } from './built-in-roles';

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

describe('The name of a custom role', () => {
  it.each(['Owner', 'oWnEr', 'ADMIN', 'member'])('cannot be %s, which is built in', (name) =>
    expect(problemOfRoleName(name)).toBe('is the name of a built-in role'),
  );

  it.each([
    ['a Cyrillic letter', 'Оwner'],
    ['Cyrillic and Latin letters', 'аԁmіn'],
    ['a circled letter', 'Ⓞwner'],
    ['a full-width letter', 'Ｏwner'],
    ['mathematical letters', '𝐀𝐝𝐦𝐢𝐧'],
    ['letters of Lisu', 'ꓳꓪꓠꓰꓣ'],
    ['letters of Cherokee', 'ᎪᎠᎷιn'],
    ['small capitals', 'ᴏᴡɴᴇʀ'],
    ['Greek letters', 'Αdmιn'],
    ['an accent', 'Ówner'],
    ['a zero', '0wner'],
    ['a one', 'Adm1n'],
    ['a small L', 'Admln'],
    ['r and n', 'Adrnin'],
    ['two v', 'Ovvner'],
    ['a space', 'Ad min'],
    ['a dot', 'Owner.'],
    ['an ignored character', 'Owner\u034f'],
  ])('cannot look like one with %s', (_how, name) =>
    expect(problemOfRoleName(name)).toBe('looks like the name of a built-in role'),
  );

  it.each(['Members', 'Co-Owner', 'Owners', 'Administrator', 'toString', 'Владелец', '管理者', 'Membre', 'Modern'])(
    'can be %s',
    (name) => expect(problemOfRoleName(name)).toBeUndefined(),
  );
});
