import { ALL_PERMISSIONS, type Permission } from '../../platform/permissions';
import { Role } from './role';

const TENANT = 'tenant';
const [owner, admin, member] = Role.builtIn(TENANT);
const custom = (...permissions: Permission[]): Role => {
  const created = Role.custom(TENANT, 'Support', permissions);
  if (!created.ok) throw new Error('The name is not taken.');
  return created.value;
};
const codeOf = (result: ReturnType<Role['mayBeGrantedBy'] | Role['change']>) =>
  result.ok ? 'ok' : result.failure.code;

describe('The built-in roles of a new tenant', () => {
  it('are Owner, Admin and Member, and only Owner is the role of the Owner', () =>
    expect([owner, admin, member].map(({ name, isOwner }) => [name, isOwner])).toEqual([
      ['Owner', true],
      ['Admin', false],
      ['Member', false],
    ]));

  it('belong to the tenant, have different ids and store no permissions', () => {
    expect(new Set([owner.id, admin.id, member.id]).size).toBe(3);
    for (const role of [owner, admin, member])
      expect(role).toMatchObject({ tenantId: TENANT, isBuiltIn: true, permissions: [] });
  });

  it.each([
    ['Owner', owner],
    ['Admin', admin],
    ['Member', member],
  ])('cannot be changed: %s', (name, role) => {
    expect(codeOf(role.change('Support', ['tenant.settings.read']))).toBe('BUILT_IN_ROLE');
    expect(role).toMatchObject({ name, permissions: [] });
    expect(role.mustBeCustom().ok).toBe(false);
  });
});

describe('A custom role', () => {
  it('stores its permissions once, in the order of the catalogue', () =>
    expect(custom('tenant.projects.read', 'tenant.settings.read', 'tenant.projects.read')).toMatchObject({
      tenantId: TENANT,
      name: 'Support',
      isBuiltIn: false,
      isOwner: false,
      permissions: ['tenant.settings.read', 'tenant.projects.read'],
    }));

  it.each(['Owner', 'admin', 'MEMBER'])('cannot be created with the built-in name %s', (name) =>
    expect(Role.custom(TENANT, name, ['tenant.settings.read'])).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION_ERROR', details: { name: ['is the name of a built-in role'] } },
    }),
  );

  it('can be changed', () => {
    const role = custom('tenant.settings.read');
    expect(codeOf(role.change('Sales', ['tenant.billing.read']))).toBe('ok');
    expect(role).toMatchObject({ name: 'Sales', permissions: ['tenant.billing.read'] });
    expect(role.mustBeCustom().ok).toBe(true);
  });

  it('keeps its name and permissions if it is given a built-in name', () => {
    const role = custom('tenant.settings.read');
    expect(codeOf(role.change('oWNER', ['tenant.billing.read']))).toBe('VALIDATION_ERROR');
    expect(role).toMatchObject({ name: 'Support', permissions: ['tenant.settings.read'] });
  });
});

describe('A role can be granted', () => {
  const withoutBilling = ALL_PERMISSIONS.filter((permission) => permission !== 'tenant.billing.manage');
  it.each<[string, Role, readonly string[], string]>([
    ['by a holder of all its permissions', custom('tenant.audit.read'), ['tenant.audit.read'], 'ok'],
    ['by a holder of more', custom('tenant.audit.read'), ALL_PERMISSIONS, 'ok'],
    [
      'but not by a holder of some',
      custom('tenant.audit.read', 'tenant.roles.read'),
      ['tenant.audit.read'],
      'PERMISSION_NOT_HELD',
    ],
    ['but not by a holder of none', custom('tenant.audit.read'), [], 'PERMISSION_NOT_HELD'],
    ['as Admin by a holder of all but the billing', admin, withoutBilling, 'ok'],
    ['but not as Admin by a holder of one less', admin, withoutBilling.slice(1), 'PERMISSION_NOT_HELD'],
    ['but not as Member by a holder of the settings alone', member, ['tenant.settings.read'], 'PERMISSION_NOT_HELD'],
    ['but never as Owner, even by a holder of all', owner, ALL_PERMISSIONS, 'PERMISSION_NOT_HELD'],
  ])('%s', (_by, role, held, expected) => expect(codeOf(role.mayBeGrantedBy(held))).toBe(expected));
});
