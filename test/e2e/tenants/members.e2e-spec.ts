import { Client } from 'pg';
import { isoTime } from '../../../src/platform/database/select-list';
import { claimsOf, type Bearer } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { expectSessionEnd } from '../../support/session-end';

const PATH = '/tenants/current/members';

describe('members', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  /** The number of deadlocks that PostgreSQL has resolved. */
  const deadlocks = async () => {
    const [{ count }] = await t.database.query<{ count: string }>(
      'SELECT deadlocks AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return count;
  };

  it('are listed in the order of joining, page by page, to users who may view them', async () => {
    const owner = await t.actors.owner({ name: 'Olga' });
    const first = await t.actors.member(owner, 'Admin', { name: 'Ada' });
    const second = await t.actors.member(owner, 'Member', { name: 'Max' });
    await t.actors.owner(); // another tenant
    const { items } = (await t.api.get('/tenants/current/members').set(second.bearer).expect(200)).body.data;
    expect(items.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
      ['Olga', 'Owner'],
      ['Ada', 'Admin'],
      ['Max', 'Member'],
    ]);
    expect(items[1]).toEqual({
      userId: first.user.id,
      email: first.user.email,
      name: 'Ada',
      pictureUrl: null,
      roleId: await t.actors.roleId(owner, 'Admin'),
      role: 'Admin',
      joinedAt: expect.any(String),
      hasSecondFactor: null, // without tenant.security.manage
    });
    const page = (await t.api.get('/tenants/current/members?limit=2').set(owner.bearer).expect(200)).body.data;
    const rest = (
      await t.api.get('/tenants/current/members').query({ cursor: page.nextCursor }).set(owner.bearer).expect(200)
    ).body.data;
    expect([...page.items, ...rest.items]).toEqual(
      items.map((item: object) => ({ ...item, hasSecondFactor: false })), // the Owner may know
    );
    const unable = await t.actors.member(owner, ['tenant.settings.read']);
    expect(codeOf(await t.api.get('/tenants/current/members').set(unable.bearer).expect(403))).toBe('FORBIDDEN');
  });

  it('are written with any name, and with times as the service writes them elsewhere', async () => {
    const owner = await t.actors.owner();
    const name = `Zoë "Z" O'Neil \\ </b>\n\u0001\u2028😀`; // also what validation refuses
    const member = await t.actors.member(owner);
    await t.database.query('UPDATE users SET name = $1 WHERE id = $2', [name, member.user.id]);
    const joinedAt = `'2026-03-01 00:30:00.0509+02'`;
    await t.database.query(`UPDATE memberships SET joined_at = ${joinedAt} WHERE user_id = $1`, [member.user.id]);
    const { body, headers } = await t.api.get(PATH).set(owner.bearer).expect(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body.data.items[1]).toMatchObject({ name, joinedAt: '2026-02-28T22:30:00.050Z' });
    const tenants = (await t.api.get('/tenants').set(member.bearer).expect(200)).body.data.items;
    expect(tenants.map((tenant: { joinedAt: string }) => tenant.joinedAt)).toContain('2026-02-28T22:30:00.050Z');
  });

  it('have times in UTC in any time zone of the connection', async () => {
    const options = '-c timezone=Asia/Kolkata';
    const client = new Client({ connectionString: t.database.urls.owner, options });
    await client.connect();
    const { rows } = await client.query(`SELECT ${isoTime(`'2026-03-01 00:30:00+02'::timestamptz`)} AS time`);
    await client.end();
    expect(rows).toEqual([{ time: '2026-02-28T22:30:00.000Z' }]);
  });

  it('show operators who has a second factor', async () => {
    const owner = await t.actors.owner();
    const { bearer } = await t.actors.admin();
    const { body } = await t.api.get(`/admin/tenants/${owner.tenantId}/members`).set(bearer).expect(200);
    expect(body.data.items).toEqual([expect.objectContaining({ userId: owner.user.id, hasSecondFactor: false })]);
  });

  it('have a next page only if there are more', async () => {
    const owner = await t.actors.owner();
    const members = [owner, await t.actors.member(owner), await t.actors.member(owner)];
    const pageOf = async (query: object) =>
      (await t.api.get(PATH).query(query).set(owner.bearer).expect(200)).body.data;
    const { items, nextCursor } = await pageOf({ limit: 2 });
    expect(items.map(({ userId }: { userId: string }) => userId)).toEqual([owner.user.id, members[1].user.id]);
    const rest = await pageOf({ limit: 1, cursor: nextCursor });
    expect(rest).toEqual({ items: [expect.objectContaining({ userId: members[2].user.id })], nextCursor: null });
    expect((await pageOf({ limit: 3 })).nextCursor).toBeNull();
    await t.database.query('DELETE FROM memberships WHERE user_id = $1', [members[2].user.id]);
    expect(await pageOf({ limit: 1, cursor: nextCursor })).toEqual({ items: [], nextCursor: null });
  });

  describe('changing a role', () => {
    const change = (by: Bearer, userId: string, roleId: unknown) =>
      t.api.patch(`/tenants/current/members/${userId}`).set(by.bearer).send({ roleId });

    it('takes effect in tokens at the next refresh and not before', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      const admin = await t.actors.roleId(owner, 'Admin');
      expect(codeOf(await change(member, member.user.id, admin).expect(403))).toBe('FORBIDDEN');
      const { body } = await change(owner, member.user.id, admin).expect(200);
      expect(body.data).toMatchObject({ userId: member.user.id, role: 'Admin', roleId: admin });
      await t.api.patch('/tenants/current').set(member.bearer).send({ name: 'x' }).expect(403);
      const now = await t.actors.refreshed(member);
      expect(claimsOf(now.accessToken)).toMatchObject({ role: 'Admin', tenant_id: owner.tenantId });
      await t.api.patch('/tenants/current').set(now.bearer).send({ name: 'x' }).expect(200);
      await change(owner, member.user.id, await t.actors.roleId(owner, 'Member')).expect(200);
      await t.api.patch('/tenants/current').set(now.bearer).send({ name: 'still an Admin by token' }).expect(200);
      const later = await t.actors.refreshed(now);
      await t.api.patch('/tenants/current').set(later.bearer).send({ name: 'x' }).expect(403);
    });

    it('is refused to and from Owner', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      expect(codeOf(await change(owner, member.user.id, await t.actors.roleId(owner, 'Owner')).expect(409))).toBe(
        'OWNER_ROLE_FIXED',
      );
      expect(codeOf(await change(owner, owner.user.id, await t.actors.roleId(owner, 'Admin')).expect(409))).toBe(
        'OWNER_ROLE_FIXED',
      );
    });

    it('requires every permission of the new role', async () => {
      const owner = await t.actors.owner();
      const manager = await t.actors.member(owner, ['tenant.members.manage', 'tenant.projects.read']);
      const member = await t.actors.member(owner, ['tenant.projects.read']);
      const within = await t.actors.role(owner, ['tenant.projects.read']);
      const beyond = await t.actors.role(owner, ['tenant.projects.read', 'tenant.audit.read']);
      expect(codeOf(await change(manager, member.user.id, beyond).expect(403))).toBe('PERMISSION_NOT_HELD');
      expect(codeOf(await change(manager, member.user.id, await t.actors.roleId(owner, 'Admin')).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      expect(codeOf(await change(manager, manager.user.id, beyond).expect(403))).toBe('PERMISSION_NOT_HELD');
      await change(manager, member.user.id, within).expect(200);
    });

    it('does not restore a lost role by an old token', async () => {
      const owner = await t.actors.owner();
      const admin = await t.actors.member(owner, 'Admin');
      const [asAdmin, asMember] = [await t.actors.roleId(owner, 'Admin'), await t.actors.roleId(owner, 'Member')];
      await change(owner, admin.user.id, asMember).expect(200);
      expect(codeOf(await change(admin, admin.user.id, asAdmin).expect(403))).toBe('PERMISSION_NOT_HELD');
      const invite = (by: Bearer, email: string, roleId: string) =>
        t.api.post('/tenants/current/invitations').set(by.bearer).send({ email, roleId });
      expect(codeOf(await invite(admin, 'second-self@example.com', asAdmin).expect(403))).toBe('PERMISSION_NOT_HELD');
      const role = { name: 'Backdoor', permissions: ['tenant.audit.read'] };
      expect(codeOf(await t.api.post('/tenants/current/roles').set(admin.bearer).send(role).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      const own = await t.actors.role(owner, ['tenant.projects.read']);
      expect(codeOf(await t.api.put(`/tenants/current/roles/${own}`).set(admin.bearer).send(role).expect(403))).toBe(
        'PERMISSION_NOT_HELD',
      );
      // permissions that they still have work with the old token
      await invite(admin, 'colleague@example.com', asMember).expect(200);
      await t.api.delete(`/tenants/current/members/${admin.user.id}`).set(owner.bearer).expect(200);
      // the old token is valid until the next refresh
      await expectSessionEnd(() => invite(admin, admin.user.email, asMember));
    });

    it('does not restore a role that is being lost at the same time', async () => {
      for (let round = 0; round < 8; round++) {
        const owner = await t.actors.owner();
        const admin = await t.actors.member(owner, 'Admin');
        const [asAdmin, asMember] = [await t.actors.roleId(owner, 'Admin'), await t.actors.roleId(owner, 'Member')];
        const requests = [() => change(owner, admin.user.id, asMember), () => change(admin, admin.user.id, asAdmin)];
        const responses = await Promise.all(
          (round % 2 ? requests : [...requests].reverse()).map((request) => request()),
        );
        expect(responses.every(({ status }) => status === 200 || status === 403)).toBe(true);
        expect(claimsOf((await t.actors.refreshed(admin)).accessToken).role).toBe('Member');
      }
    });

    it('requires every permission of the current role', async () => {
      const owner = await t.actors.owner();
      const actors = await t.actors.member(owner, ['tenant.members.manage', 'tenant.projects.read']);
      const admin = await t.actors.member(owner, 'Admin');
      const [equal, lower] = [
        await t.actors.member(owner, ['tenant.projects.read']),
        await t.actors.role(owner, ['tenant.projects.read']),
      ];
      expect(codeOf(await change(actors, admin.user.id, lower).expect(403))).toBe('PERMISSION_NOT_HELD');
      expect(claimsOf((await t.actors.refreshed(admin)).accessToken).role).toBe('Admin');
      await change(actors, equal.user.id, lower).expect(200);
      await change(actors, actors.user.id, lower).expect(200); // users may give up their own permissions
    });

    it('requires every permission of a role that is being assigned at the same time', async () => {
      const owner = await t.actors.owner();
      const actors = await t.actors.member(owner, ['tenant.members.manage', 'tenant.projects.read']);
      const [lower, admin] = [
        await t.actors.role(owner, ['tenant.projects.read']),
        await t.actors.roleId(owner, 'Admin'),
      ];
      const promoting = 'UPDATE memberships SET role_id = $1 WHERE tenant_id = $2 AND user_id = $3';
      for (const take of [
        (id: string) => change(actors, id, lower),
        (id: string) => t.api.delete(`${PATH}/${id}`).set(actors.bearer),
      ]) {
        const member = await t.actors.member(owner, ['tenant.projects.read']);
        const response = await t.database.inTheMidstOf(promoting, [admin, owner.tenantId, member.user.id], () =>
          take(member.user.id),
        );
        expect([response.status, codeOf(response)]).toEqual([403, 'PERMISSION_NOT_HELD']);
        expect(claimsOf((await t.actors.refreshed(member)).accessToken).role).toBe('Admin');
      }
    });

    it('does not deadlock when two members change each other', async () => {
      const owner = await t.actors.owner();
      const asMember = await t.actors.roleId(owner, 'Member');
      for (let round = 0; round < 5; round++) {
        const [one, other] = [await t.actors.member(owner, 'Admin'), await t.actors.member(owner, 'Admin')];
        const before = await deadlocks();
        const responses = await Promise.all([
          change(one, other.user.id, asMember),
          change(other, one.user.id, asMember),
        ]);
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
        expect(await deadlocks()).toBe(before);
      }
    });

    it('requires an existing member and an existing role', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      const nobody = '00000000-0000-7000-8000-000000000000';
      await change(owner, nobody, await t.actors.roleId(owner, 'Admin')).expect(404);
      await change(owner, member.user.id, nobody).expect(404);
      await change(owner, member.user.id, 'Admin').expect(400);
      await change(owner, 'me', nobody).expect(400);
    });
  });

  describe('removing', () => {
    const remove = (by: Bearer, userId: string) => t.api.delete(`/tenants/current/members/${userId}`).set(by.bearer);

    it('ends the tokens for the tenant; the next refresh falls back to another tenant', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      const elsewhere = (await t.api.post('/tenants').set(member.bearer).send({ name: 'Elsewhere' }).expect(200)).body
        .data;
      const colleague = await t.actors.member(owner);
      expect(codeOf(await remove(colleague, member.user.id).expect(403))).toBe('FORBIDDEN');
      expect((await remove(owner, member.user.id).expect(200)).body.data).toBeNull();
      await remove(owner, member.user.id).expect(404);
      await expectSessionEnd(() => t.api.get('/tenants/current/members').set(member.bearer));
      const now = await t.actors.refreshed(member);
      expect(claimsOf(now.accessToken)).toMatchObject({ tenant_id: elsewhere.id, role: 'Owner' });
    });

    it('lets any member leave; without another tenant they are in none', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner, ['tenant.settings.read']);
      await remove(member, member.user.id.toUpperCase()).expect(200); // ids are case-insensitive
      const [{ target_id }] = await t.database.query<{ target_id: string }>(
        "SELECT target_id FROM audit_log WHERE action = 'member.removed' ORDER BY id DESC LIMIT 1",
      );
      expect(target_id).toBe(member.user.id);
      const now = await t.actors.refreshed(member);
      expect(claimsOf(now.accessToken)).toMatchObject({ role: '', permissions: [] });
      expect(claimsOf(now.accessToken)).not.toHaveProperty('tenant_id');
      expect((await t.api.get('/auth/me').set(now.bearer).expect(200)).body.data).toMatchObject({
        tenant: null,
        role: '',
        permissions: [],
      });
      await remove(now, member.user.id).expect(404);
    });

    it('requires every permission of the member, also by an old token, except for leaving', async () => {
      const owner = await t.actors.owner();
      const actors = await t.actors.member(owner, ['tenant.members.manage', 'tenant.projects.read']);
      const treasurer = await t.actors.member(owner, ['tenant.billing.manage', 'tenant.projects.read']);
      const equal = await t.actors.member(owner, ['tenant.projects.read']);
      expect(codeOf(await remove(actors, treasurer.user.id).expect(403))).toBe('PERMISSION_NOT_HELD');
      await remove(actors, equal.user.id).expect(200);
      const admin = await t.actors.member(owner, 'Admin');
      const reader = await t.actors.member(owner, ['tenant.audit.read']);
      await t.api
        .patch(`${PATH}/${admin.user.id}`)
        .set(owner.bearer)
        .send({ roleId: await t.actors.roleId(owner, 'Member') })
        .expect(200);
      expect(codeOf(await remove(admin, reader.user.id).expect(403))).toBe('PERMISSION_NOT_HELD');
      await remove(treasurer, treasurer.user.id).expect(200);
    });

    it('is refused for the Owner', async () => {
      const owner = await t.actors.owner();
      const admin = await t.actors.member(owner, 'Admin');
      expect(codeOf(await remove(owner, owner.user.id).expect(409))).toBe('OWNER_CANNOT_LEAVE');
      expect(codeOf(await remove(admin, owner.user.id).expect(409))).toBe('OWNER_CANNOT_LEAVE');
    });
  });
});
