import { BUILT_IN_ROLES } from '../../../src/tenants/domain/built-in-roles';
import { ALL_PERMISSIONS, PERMISSIONS } from '../../../src/platform/permissions';
import { claimsOf, type Bearer, type Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('roles', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const create = (by: Bearer, body: object) => t.api.post('/tenants/current/roles').set(by.bearer).send(body);
  const update = (by: Bearer, id: string, body: object) =>
    t.api.put(`/tenants/current/roles/${id}`).set(by.bearer).send(body);
  const remove = (by: Bearer, id: string) => t.api.delete(`/tenants/current/roles/${id}`).set(by.bearer);
  const READ = ['tenant.projects.read'];

  it('start with the built-in ones and their permissions', async () => {
    const fresh = await t.actors.owner();
    const { body } = await t.api.get('/tenants/current/roles').set(fresh.bearer).expect(200);
    const common = { id: expect.any(String), isBuiltIn: true };
    expect(body.data).toEqual({
      items: [
        { ...common, name: 'Owner', permissions: ALL_PERMISSIONS, memberCount: 1 },
        {
          ...common,
          name: 'Admin',
          permissions: ALL_PERMISSIONS.filter((permission) => permission !== 'tenant.billing.manage'),
          memberCount: 0,
        },
        {
          ...common,
          name: 'Member',
          permissions: [...BUILT_IN_ROLES.Member],
          memberCount: 0,
        },
      ],
      nextCursor: null,
    });
  });

  it('can be composed of the permissions in the catalogue', async () => {
    const member = await t.actors.member(owner);
    const { body } = await t.api.get('/tenants/current/permissions').set(member.bearer).expect(200);
    expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual(ALL_PERMISSIONS);
    expect(body.data.items[0]).toEqual({
      name: 'tenant.settings.read',
      description: PERMISSIONS['tenant.settings.read'],
    });
    const blind = await t.actors.member(owner, ['tenant.projects.read']);
    for (const list of ['roles', 'permissions'])
      await t.api.get(`/tenants/current/${list}`).set(blind.bearer).expect(403);
  });

  describe('creating', () => {
    it('stores the name and the permissions, without duplicates and in the order of the catalogue', async () => {
      const member = await t.actors.member(owner);
      expect(codeOf(await create(member, { name: 'Sneaky', permissions: READ }).expect(403))).toBe('FORBIDDEN');
      const permissions = ['tenant.projects.read', 'tenant.settings.read', 'tenant.projects.read'];
      const { body } = await create(owner, { name: '  Viewer ', permissions }).expect(200);
      expect(body.data).toEqual({
        id: expect.any(String),
        name: 'Viewer',
        permissions: ['tenant.settings.read', 'tenant.projects.read'],
        isBuiltIn: false,
        memberCount: 0,
      });
      const viewer = await t.actors.member(owner, 'Viewer');
      expect(claimsOf(viewer.accessToken)).toMatchObject({
        role: 'Viewer',
        permissions: ['tenant.settings.read', 'tenant.projects.read'],
      });
    });

    it.each(['Ｏwner', 'Ⓞwner', 'ꓳꓪꓠꓰꓣ', 'Adrnin', 'Ówner'])('refuses %s, which looks built in', async (name) => {
      const { body } = await create(owner, { name, permissions: READ }).expect(400);
      expect(body.error.details).toEqual({ name: ['looks like the name of a built-in role'] });
    });

    it.each(['Owner', 'admin', 'MEMBER', ' Owner '])('refuses the built-in name %s', async (name) => {
      const { body } = await create(owner, { name, permissions: READ }).expect(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { name: [expect.any(String)] } });
    });

    it.each([
      ['none', [], 'permissions'],
      ['an unknown one', ['tenant.projects.read', 'tenant.everything'], 'permissions.1'],
      ['one in another case', ['Tenant.Projects.Read'], 'permissions.0'],
      ['no list', 'tenant.projects.read', 'permissions'],
      ['something else', [{ $ne: 1 }], 'permissions.0'],
      ['nothing at all', undefined, 'permissions'],
    ])('refuses invalid permissions: %s', async (_what, permissions, place) => {
      const { body } = await create(owner, { name: 'Odd', permissions }).expect(400);
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [place]: expect.any(Array) } });
    });

    it('refuses a name that the tenant already uses, in any case; another tenant may use it', async () => {
      await create(owner, { name: 'Treasurer', permissions: READ }).expect(200);
      expect(codeOf(await create(owner, { name: 'TREASURER', permissions: READ }).expect(409))).toBe('ROLE_NAME_TAKEN');
      await create(await t.actors.owner(), { name: 'Treasurer', permissions: READ }).expect(200);
    });

    it('creates one role from concurrent requests', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => create(owner, { name: 'Race', permissions: READ })));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    });

    it('refuses a permission that the caller lacks', async () => {
      const manager = await t.actors.member(owner, ['tenant.roles.manage', 'tenant.projects.read']);
      expect(
        codeOf(await create(manager, { name: 'Mighty', permissions: ['tenant.billing.manage'] }).expect(403)),
      ).toBe('PERMISSION_NOT_HELD');
      const admin = await t.actors.member(owner, 'Admin');
      expect(codeOf(await create(admin, { name: 'Payer', permissions: ['tenant.billing.manage'] }).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      await create(manager, { name: 'Modest', permissions: READ }).expect(200);
    });
  });

  describe('updating', () => {
    it('reaches the members with their next refresh and not before', async () => {
      const id = await t.actors.role(owner, ['tenant.projects.read'], 'Changing');
      const holder = await t.actors.member(owner, 'Changing');
      const { body } = await update(owner, id, { name: 'Changed', permissions: ['tenant.audit.read'] }).expect(200);
      expect(body.data).toEqual({
        id,
        name: 'Changed',
        permissions: ['tenant.audit.read'],
        isBuiltIn: false,
        memberCount: 1,
      });
      await t.api.get('/tenants/current/projects').set(holder.bearer).expect(200);
      await t.api.get('/tenants/current/audit-log').set(holder.bearer).expect(403);
      const now = await t.actors.refreshed(holder);
      expect(claimsOf(now.accessToken)).toMatchObject({ role: 'Changed', permissions: ['tenant.audit.read'] });
      await t.api.get('/tenants/current/projects').set(now.bearer).expect(403);
      await t.api.get('/tenants/current/audit-log').set(now.bearer).expect(200);
    });

    it('follows the rules for creating', async () => {
      const id = await t.actors.role(owner, ['tenant.projects.read'], 'Ruled');
      await t.actors.role(owner, ['tenant.projects.read'], 'Neighbor');
      const manager = await t.actors.member(owner, ['tenant.roles.manage', 'tenant.projects.read']);
      expect(codeOf(await update(owner, id, { name: 'member', permissions: READ }).expect(400))).toBe(
        'VALIDATION_ERROR',
      );
      expect(codeOf(await update(owner, id, { name: 'Ruled', permissions: [] }).expect(400))).toBe('VALIDATION_ERROR');
      expect(codeOf(await update(owner, id, { name: 'Ruled', permissions: ['x'] }).expect(400))).toBe(
        'VALIDATION_ERROR',
      );
      expect(codeOf(await update(owner, id, { name: 'neighbor', permissions: READ }).expect(409))).toBe(
        'ROLE_NAME_TAKEN',
      );
      expect(codeOf(await update(manager, id, { name: 'Ruled', permissions: ['tenant.audit.read'] }).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      await update(manager, id, { name: 'RULED', permissions: READ }).expect(200);
      await update(await t.actors.member(owner), id, { name: 'x', permissions: READ }).expect(403);
      await update(owner, '00000000-0000-7000-8000-000000000000', { name: 'x', permissions: READ }).expect(404);
    });

    it('requires every permission that the role has now', async () => {
      const id = await t.actors.role(owner, ['tenant.audit.read', 'tenant.projects.read'], 'Above');
      const editor = await t.actors.member(owner, ['tenant.roles.manage', 'tenant.projects.read']);
      expect(codeOf(await update(editor, id, { name: 'Above', permissions: READ }).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      expect(codeOf(await remove(editor, id).expect(403))).toBe('PERMISSION_NOT_HELD');
      await update(owner, id, { name: 'Above', permissions: READ }).expect(200);
      await update(editor, id, { name: 'Below', permissions: READ }).expect(200);
      await remove(editor, id).expect(200);
    });

    it('requires every permission that the role is being given at the same time', async () => {
      const editor = await t.actors.member(owner, ['tenant.roles.manage', 'tenant.projects.read']);
      for (const take of [
        (id: string) => update(editor, id, { name: `Taken ${id}`.slice(0, 40), permissions: READ }),
        (id: string) => remove(editor, id),
      ]) {
        const id = await t.actors.role(owner, ['tenant.projects.read']);
        const widening = `UPDATE roles SET permissions = '{tenant.projects.read,tenant.audit.read}' WHERE id = $1`;
        const response = await t.database.inTheMidstOf(widening, [id], () => take(id));
        expect([response.status, codeOf(response)]).toEqual([403, 'PERMISSION_NOT_HELD']);
      }
    });

    it('is refused for built-in roles', async () => {
      for (const name of ['Owner', 'Admin', 'Member']) {
        const id = await t.actors.roleId(owner, name);
        expect(codeOf(await update(owner, id, { name: 'Mine', permissions: READ }).expect(403))).toBe('BUILT_IN_ROLE');
        expect(codeOf(await remove(owner, id).expect(403))).toBe('BUILT_IN_ROLE');
      }
    });
  });

  describe('deleting', () => {
    it('requires a role without members', async () => {
      const id = await t.actors.role(owner, ['tenant.projects.read'], 'Short-lived');
      const holder = await t.actors.member(owner, 'Short-lived');
      expect(codeOf(await remove(owner, id).expect(409))).toBe('CONFLICT');
      await remove(await t.actors.member(owner), id).expect(403);
      const about = `/tenants/current/members/${holder.user.id}`;
      await t.api
        .patch(about)
        .set(owner.bearer)
        .send({ roleId: await t.actors.roleId(owner, 'Member') })
        .expect(200);
      expect((await remove(owner, id).expect(200)).body.data).toEqual({ revokedInvitations: 0, invitations: [] });
      await remove(owner, id).expect(404);
    });

    it('excludes assigning the role at the same time', async () => {
      for (let round = 0; round < 10; round++) {
        const id = await t.actors.role(owner, ['tenant.projects.read']);
        const member = await t.actors.member(owner);
        const give = () =>
          t.api.patch(`/tenants/current/members/${member.user.id}`).set(owner.bearer).send({ roleId: id });
        const responses = await Promise.all(round % 2 ? [give(), remove(owner, id)] : [remove(owner, id), give()]);
        const codes = responses.map(({ status }) => status).sort();
        expect([
          [200, 404],
          [200, 409],
        ]).toContainEqual(codes);
      }
    });
  });

  it('keep working when the catalogue loses a permission that they have', async () => {
    const id = await t.actors.role(owner, ['tenant.projects.read'], 'Outlived');
    await t.database.query(`UPDATE roles SET permissions = '{tenant.projects.read,tenant.gone}' WHERE id = $1`, [id]);
    const holder = await t.actors.member(owner, 'Outlived');
    expect(claimsOf(holder.accessToken).permissions).toEqual(['tenant.projects.read']);
  });

  it('have an exact number of members, or one of the last 5 minutes if it was above 10,000', async () => {
    const { tenantId, ...fresh } = await t.actors.owner();
    const size = async () => {
      const { body } = await t.api.get('/tenants/current/roles').set(fresh.bearer).expect(200);
      const { items } = body.data as { items: { name: string; memberCount: number }[] };
      return items.find(({ name }) => name === 'Member')!.memberCount;
    };
    const add = (members: number) =>
      t.database.query(
        `WITH added AS (
           INSERT INTO users (id, email, name, is_email_verified, created_at)
           SELECT gen_random_uuid(), gen_random_uuid() || '@example.com', 'Member', true, now()
             FROM generate_series(1, $2)
           RETURNING id)
         INSERT INTO memberships (id, tenant_id, user_id, role_id, is_owner, joined_at)
         SELECT gen_random_uuid(), $1, added.id, r.id, false, now() FROM added, roles r
          WHERE r.tenant_id = $1 AND r.name = 'Member'`,
        [tenantId, members],
      );
    await add(10_000);
    expect(await size()).toBe(10_000);
    await add(2);
    expect(await Promise.all([size(), size()])).toEqual([10_002, 10_002]);
    await add(1);
    expect(await size()).toBe(10_002);
    t.clock.advance(5 * 60);
    expect(await size()).toBe(10_003);
    await t.database.query('DELETE FROM memberships WHERE tenant_id = $1 AND NOT is_owner', [tenantId]);
    expect(await size()).toBe(10_003);
    t.clock.advance(5 * 60);
    expect(await size()).toBe(0);
    await add(1);
    expect(await size()).toBe(1);
  });
});
