import { bearer, claimsOf } from '../../support/actors';
import { RevokedTokens } from '../../../src/http/access/revoked-tokens';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

describe('tenants', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  it('are created with an account as its first tenant, or not at all', async () => {
    const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' };
    await t.api.post('/auth/register').send(ada).expect(201);
    await t.api
      .post('/auth/register')
      // registering an unverified address again creates no other tenant
      .send({ ...ada, name: 'Ada again' })
      .expect(201);
    const rows = await t.database.query(
      `SELECT t.name, u.email, r.name AS role FROM tenants t JOIN memberships m ON m.tenant_id = t.id
         JOIN users u ON u.id = m.user_id JOIN roles r ON r.id = m.role_id`,
    );
    expect(rows).toEqual([{ name: "Ada's workspace", email: ada.email, role: 'Owner' }]);
    expect(await t.database.query('SELECT name FROM roles ORDER BY id')).toEqual([
      { name: 'Owner' },
      { name: 'Admin' },
      { name: 'Member' },
    ]);
  });

  it('are created by a signed-in user, who is their Owner after switching', async () => {
    const user = await t.actors.signedInUser();
    expect(claimsOf(user.accessToken)).toMatchObject({ role: '', permissions: [] });
    expect(claimsOf(user.accessToken)).not.toHaveProperty('tenant_id');
    const { body } = await t.api.post('/tenants').set(user.bearer).send({ name: '  Engines  ' }).expect(200);
    expect(body.data).toEqual({ id: expect.any(String), name: 'Engines', createdAt: expect.any(String) });
    expect((await t.api.get('/tenants').set(user.bearer).expect(200)).body.data).toEqual({
      items: [{ tenant: body.data, role: 'Owner', joinedAt: expect.any(String), obstacle: null }],
      nextCursor: null,
    });
    await t.api.get('/tenants/current').set(user.bearer).expect(403);
    const switched = await t.api
      .post('/auth/switch-tenant')
      .set(user.bearer)
      .send({ tenantId: body.data.id })
      .expect(200);
    expect(claimsOf(switched.body.data.accessToken)).toMatchObject({ tenant_id: body.data.id, role: 'Owner' });
    await t.api.post('/tenants').send({ name: 'x' }).expect(401);
    expect(
      (await t.api.post('/tenants').set(user.bearer).send({ name: ' ' }).expect(400)).body.error.details,
    ).toHaveProperty('name');
  });

  it('are shown and renamed with the permission to do so', async () => {
    const owner = await t.actors.owner({ tenantName: 'Before' });
    const member = await t.actors.member(owner);
    expect((await t.api.get('/tenants/current').set(member.bearer).expect(200)).body.data).toMatchObject({
      id: owner.tenantId,
      name: 'Before',
    });
    await t.api.patch('/tenants/current').set(member.bearer).send({ name: 'No' }).expect(403);
    const renamed = await t.api.patch('/tenants/current').set(owner.bearer).send({ name: 'After' }).expect(200);
    expect(renamed.body.data).toMatchObject({ id: owner.tenantId, name: 'After' });
    expect((await t.api.get('/auth/me').set(member.bearer).expect(200)).body.data.tenant).toEqual({
      id: owner.tenantId,
      name: 'After',
    });
  });

  it('are listed page by page', async () => {
    const user = await t.actors.signedInUser();
    for (const name of ['One', 'Two', 'Three'])
      await t.api.post('/tenants').set(user.bearer).send({ name }).expect(200);
    const first = (await t.api.get('/tenants?limit=2').set(user.bearer).expect(200)).body.data;
    expect(first.items.map((item: { tenant: { name: string } }) => item.tenant.name)).toEqual(['One', 'Two']);
    const second = (
      await t.api.get('/tenants').query({ limit: 2, cursor: first.nextCursor }).set(user.bearer).expect(200)
    ).body.data;
    expect(second).toMatchObject({ items: [{ tenant: { name: 'Three' } }], nextCursor: null });
  });

  describe('switching', () => {
    it('issues an access token for the other tenant and keeps the session and its refresh token', async () => {
      const owner = await t.actors.owner();
      const other = (await t.api.post('/tenants').set(owner.bearer).send({ name: 'Other' }).expect(200)).body.data;
      const { body, headers } = await t.api
        .post('/auth/switch-tenant')
        .set(owner.bearer)
        .send({ tenantId: other.id })
        .expect(200);
      expect(body.data).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 });
      expect(headers['set-cookie']).toBeUndefined();
      expect(claimsOf(body.data.accessToken)).toMatchObject({ sub: owner.user.id, tenant_id: other.id });
      expect(claimsOf(body.data.accessToken).jti).not.toBe(claimsOf(owner.accessToken).jti);
      const refreshed = await t.actors.refreshed(owner);
      expect(claimsOf(refreshed.accessToken).tenant_id).toBe(other.id);
      expect(await t.database.query('SELECT id FROM sessions WHERE user_id = $1', [owner.user.id])).toHaveLength(1);
      const reuse = await t.api.post('/auth/refresh').send({ refreshToken: owner.refreshToken }).expect(401);
      expect(reuse.body.error.code).toBe('TOKEN_REUSE_DETECTED');
    });

    it('issues an access token of the same session', async () => {
      const owner = await t.actors.owner();
      const switching = t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: owner.tenantId });
      const { accessToken } = (await switching.expect(200)).body.data;
      const { body } = await t.api.get('/auth/sessions').set(bearer(accessToken)).expect(200);
      expect(body.data.items).toEqual([expect.objectContaining({ current: true })]);
      const again = t.api.post('/auth/switch-tenant').set(bearer(accessToken)).send({ tenantId: owner.tenantId });
      await again.expect(200);
    });

    it('is limited to tenants of which the user is a member', async () => {
      const [owner, stranger] = [await t.actors.owner(), await t.actors.owner()];
      const to = (tenantId: unknown) => t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId });
      expect((await to(stranger.tenantId).expect(404)).body.error.code).toBe('NOT_FOUND');
      await to('00000000-0000-7000-8000-000000000000').expect(404);
      await to('here').expect(400);
      await t.api.post('/auth/refresh').send({ refreshToken: owner.refreshToken }).expect(200);
    });

    it('is refused in a session that has ended, even with a valid access token', async () => {
      const owner = await t.actors.owner();
      await t.api.post('/auth/logout').send({ refreshToken: owner.refreshToken }).expect(200);
      const { body } = await t.api
        .post('/auth/switch-tenant')
        .set(owner.bearer)
        .send({ tenantId: owner.tenantId })
        .expect(401);
      expect(body.error.code).toBe('SESSION_ENDED');
    });

    it('leaves exactly one valid refresh token under concurrent refreshes', async () => {
      for (let round = 0; round < 10; round++) {
        const owner = await t.actors.owner();
        const switching = () => t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: owner.tenantId });
        const refresh = (refreshToken: string) => t.api.post('/auth/refresh').send({ refreshToken });
        const responses = await Promise.all([switching(), refresh(owner.refreshToken), switching()]);
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
        const next = responses[1].body.data;
        const tokens = await t.database.query(
          `SELECT t.id, t.id = s.current_token_id AS "isCurrent"
             FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
            WHERE s.user_id = $1 AND t.secret_hash IS NOT NULL ORDER BY t.id = s.current_token_id`,
          [owner.user.id],
        );
        expect(tokens).toEqual([
          { id: claimsOf(owner.accessToken).jti, isCurrent: false },
          { id: claimsOf(next.accessToken).jti, isCurrent: true },
        ]);
        await refresh(next.refreshToken).expect(200);
      }
    });

    it('makes the tenant active at the next sign-in', async () => {
      const owner = await t.actors.owner();
      const other = (await t.api.post('/tenants').set(owner.bearer).send({ name: 'Other' }).expect(200)).body.data;
      expect(claimsOf((await t.actors.signIn(owner.user.email)).accessToken).tenant_id).toBe(owner.tenantId);
      await t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: other.id }).expect(200);
      expect(claimsOf((await t.actors.signIn(owner.user.email)).accessToken).tenant_id).toBe(other.id);
    });
  });

  describe('deleting', () => {
    it('removes all data except the audit log', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      await t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'Engine' }).expect(200);
      await t.api
        .post('/tenants/current/invitations')
        .set(owner.bearer)
        .send({ email: 'guest@example.com' })
        .expect(200);
      for (const role of ['Admin', 'Member']) {
        const { bearer } = await t.actors.member(owner, role);
        expect((await t.api.delete('/tenants/current').set(bearer).expect(403)).body.error.code).toBe('FORBIDDEN');
      }
      expect((await t.api.delete('/tenants/current').set(owner.bearer).expect(200)).body.data).toBeNull();
      for (const table of ['memberships', 'roles', 'invitations', 'projects', 'notifications']) {
        const left = () => t.database.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [owner.tenantId]);
        await eventually(async () => (await left()).length === 0 || undefined, `the end of ${table}`);
      }
      const log = await t.database.query<{ action: string }>(
        'SELECT action FROM audit_log WHERE tenant_id = $1 ORDER BY id',
        [owner.tenantId],
      );
      expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['tenant.created', 'tenant.deleted']));
      expect(claimsOf((await t.actors.refreshed(member)).accessToken)).toMatchObject({ role: '', permissions: [] });
    });

    it('invalidates every token of the tenant, also on instances that do not know of the deletion yet', async () => {
      const owner = await t.actors.owner();
      const admin = await t.actors.member(owner, 'Admin');
      const uninformed = jest.spyOn(t.nest.get(RevokedTokens), 'includes').mockReturnValue(false);
      await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
      const permissions = ['tenant.projects.read'];
      const requests = [
        t.api.get('/tenants/current'),
        t.api.patch('/tenants/current').send({ name: 'x' }),
        t.api.delete('/tenants/current'),
        t.api.post('/tenants/current/roles').send({ name: 'x', permissions }),
        t.api.post('/tenants/current/invitations').send({ email: 'x@example.com' }),
        t.api.post('/tenants/current/projects').send({ name: 'x' }),
      ];
      for (const request of requests)
        expect((await request.set(owner.bearer).expect(404)).body.error.code).toBe('NOT_FOUND');
      const lists = ['members', 'roles', 'invitations', 'projects'];
      for (const list of lists)
        expect((await t.api.get(`/tenants/current/${list}`).set(admin.bearer).expect(200)).body.data.items).toEqual([]);
      expect((await t.api.get('/auth/me').set(admin.bearer).expect(200)).body.data).toMatchObject({
        tenant: null,
        role: 'Admin',
      });
      uninformed.mockRestore();
      for (const { bearer } of [owner, admin]) {
        expect((await t.api.get('/tenants/current').set(bearer).expect(401)).body.error.code).toBe('SESSION_ENDED');
      }
    });

    it('is refused if the caller lost the ownership after the token was issued', async () => {
      const owner = await t.actors.owner();
      const admin = await t.actors.member(owner, 'Admin');
      await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: admin.user.id }).expect(200);
      expect((await t.api.delete('/tenants/current').set(owner.bearer).expect(403)).body.error.code).toBe('FORBIDDEN');
      const now = await t.actors.refreshed(admin);
      await t.api.delete('/tenants/current').set(now.bearer).expect(200);
    });
  });
});
