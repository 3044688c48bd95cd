import { ACCESS_TOKEN_SECONDS } from '../../../src/http/access/access-tokens';
import { newId } from '../../../src/platform/ids';
import { bearer, claimsOf, PASSWORD, type Member, type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('impersonation', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    admin = await t.actors.admin();
    owner = await t.actors.owner({ tenantName: 'Acme' });
  });
  afterAll(() => t.close());

  const impersonate = (id: string, body: object = {}, by = admin) =>
    t.api.post(`/admin/users/${id}/impersonate`).set(by.bearer).send(body);

  it("issues an access token with the user's claims and the admin's id, without refresh token or cookie", async () => {
    const { body, headers } = await impersonate(owner.user.id, { reason: 'Ticket 4711' }).expect(200);
    expect(body.data).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: expect.objectContaining({ id: owner.user.id, email: owner.user.email, isAdmin: false }),
    });
    expect(headers['set-cookie']).toBeUndefined();
    const { jti, iat, exp, ...claims } = claimsOf(body.data.accessToken);
    const own = claimsOf(owner.accessToken);
    expect({ ...claims, jti: own.jti, iat: own.iat, exp: own.exp }).toEqual({ ...own, impersonator_id: admin.user.id });
    expect(jti).not.toBe(own.jti);
    expect(Number(exp) - Number(iat)).toBe(900);
    const [{ owner: session, hash }] = await t.database.query<{ owner: string; hash: null }>(
      `SELECT s.user_id AS owner, coalesce(t.secret_hash, t.token_hash) AS hash
         FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1`,
      [jti],
    );
    // the session of the admin, without a refresh token
    expect({ session, hash }).toEqual({ session: admin.user.id, hash: null });
  });

  it('is recorded with admin, user, time and reason, also in the log of the tenant', async () => {
    const [entry] = (
      await t.api.get('/tenants/current/audit-log').set(owner.bearer).expect(200)
    ).body.data.items.filter(({ action }: { action: string }) => action === 'user.impersonated');
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      impersonatorId: admin.user.id,
      tenantId: owner.tenantId,
      targetType: 'user',
      targetId: owner.user.id,
      data: { reason: 'Ticket 4711' },
      at: expect.stringMatching(/Z$/),
    });
  });

  it('appears in GET /auth/me, and records both ids with every action', async () => {
    const acting = await t.actors.impersonating(admin, owner);
    const me = await t.api.get('/auth/me').set(acting.bearer).expect(200);
    expect(me.body.data).toMatchObject({
      user: { id: owner.user.id },
      tenant: { name: 'Acme' },
      role: 'Owner',
      impersonatorId: admin.user.id,
    });
    const { body } = await t.api
      .post('/tenants/current/projects')
      .set(acting.bearer)
      .send({ name: 'Renamed' })
      .expect(200);
    const [entry] = await t.database.query('SELECT actor_id, impersonator_id FROM audit_log WHERE target_id = $1', [
      body.data.id,
    ]);
    expect(entry).toEqual({ actor_id: owner.user.id, impersonator_id: admin.user.id });
  });

  it('can be found by the id of the admin, with all actions', async () => {
    const acting = await t.actors.impersonating(admin, owner);
    await t.api.patch('/tenants/current').set(acting.bearer).send({ name: 'Acme' }).expect(200);
    const { body } = await t.api
      .get('/admin/audit-log')
      .query({ impersonator: admin.user.id, limit: 3 })
      .set(admin.bearer)
      .expect(200);
    expect(body.data.items).toMatchObject([
      {
        action: 'tenant.renamed',
        actorId: owner.user.id,
        targetId: owner.tenantId,
        tenantId: owner.tenantId,
        data: { name: 'Acme' },
      },
      { action: 'user.impersonated', actorId: admin.user.id, targetId: owner.user.id },
      { action: 'project.created', actorId: owner.user.id },
    ]);
  });

  it('does not end the session of the admin, whose cookie is sent along', async () => {
    const acting = await t.actors.impersonating(admin, owner);
    const cookie = `refresh_token=${admin.refreshToken}`;
    expect(codeOf(await t.api.post('/auth/logout').set(acting.bearer).set('Cookie', cookie).expect(403))).toBe(
      'NOT_WHILE_IMPERSONATING',
    );
    admin = await t.actors.refreshed(admin);
    t.clock.advance(ACCESS_TOKEN_SECONDS + 1); // a tab left open until the token expired
    const late = t.api.post('/auth/logout').set(acting.bearer).set('Cookie', `refresh_token=${admin.refreshToken}`);
    expect(codeOf(await late.expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    [admin, owner] = [await t.actors.refreshed(admin), await t.actors.refreshed(owner)];
    await t.actors.stepUp(admin);
    for (const nonsense of ['x', '.', 'x.bnVsbA.x', 'Bearer'])
      await t.api.post('/auth/logout').set(bearer(nonsense)).expect(200);
  });

  it('notifies the user with the reason, in any tenant, and stays unread until the user reads it', async () => {
    const target = await t.actors.signedInUser({ name: 'Grace' });
    await impersonate(target.user.id, { reason: ' Ticket 4712 ' }).expect(200);
    const acting = await t.actors.impersonating(admin, target);
    const notifications = (await t.api.get('/notifications').set(target.bearer).expect(200)).body.data.items;
    const notice = { kind: 'AccountAccessed', tenantId: null, createdAt: expect.any(String), readAt: null };
    expect(notifications).toEqual([
      { id: expect.any(String), ...notice, data: { reason: null } },
      { id: expect.any(String), ...notice, data: { reason: 'Ticket 4712' } },
    ]);
    await t.api.post('/notifications/read-all').set(acting.bearer).expect(403);
    expect((await t.api.get('/notifications/unread-count').set(target.bearer).expect(200)).body.data.count).toBe(2);
    await impersonate(admin.user.id).expect(403); // refused attempts notify nobody
    expect((await t.api.get('/notifications').set(admin.bearer).expect(200)).body.data.items).toEqual([]);
    const sql = `SELECT count(*)::int AS entries FROM audit_log WHERE action = 'user.impersonated' AND target_id = $1`;
    expect(await t.database.query(sql, [target.user.id])).toEqual([{ entries: 2 }]);
  });

  it('notifies a member in any active tenant', async () => {
    const target = await t.actors.owner({ tenantName: 'First' });
    await impersonate(target.user.id, { reason: 'Ticket 4713', tenantId: target.tenantId }).expect(200);
    const other = (await t.api.post('/tenants').set(target.bearer).send({ name: 'Second' }).expect(200)).body.data;
    const { body } = await t.api
      .post('/auth/switch-tenant')
      .set(target.bearer)
      .send({ tenantId: other.id })
      .expect(200);
    for (const headers of [target.bearer, bearer(body.data.accessToken)])
      expect((await t.api.get('/notifications').set(headers).expect(200)).body.data.items).toMatchObject([
        { kind: 'AccountAccessed', data: { reason: 'Ticket 4713' } },
      ]);
  });

  it('requires neither a body nor a reason', async () => {
    await t.api.post(`/admin/users/${owner.user.id}/impersonate`).set(admin.bearer).expect(200);
    await impersonate(owner.user.id, { reason: ' ' }).expect(200);
    const [{ data }] = await t.database.query<{ data: object }>(
      `SELECT data FROM audit_log WHERE action = 'user.impersonated' ORDER BY id DESC LIMIT 1`,
    );
    expect(data).toEqual({ reason: null });
  });

  it('ends after 15 minutes', async () => {
    const acting = await t.actors.impersonating(admin, owner);
    t.clock.advance(ACCESS_TOKEN_SECONDS + 1);
    expect(codeOf(await t.api.get('/auth/me').set(acting.bearer).expect(401))).toBe('ACCESS_TOKEN_EXPIRED');
    [admin, owner] = [await t.actors.refreshed(admin), await t.actors.refreshed(owner)];
  });

  it('needs a proof of the identity in the last ten minutes', async () => {
    expect(codeOf(await impersonate(owner.user.id).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.actors.stepUp(admin);
    await impersonate(owner.user.id).expect(200);
    const notAdmin = await t.actors.signedInUser(); // is not asked: a proof would not help
    expect(codeOf(await impersonate(owner.user.id, {}, notAdmin).expect(403))).toBe('FORBIDDEN');
  });

  describe('refuses lasting changes with NOT_WHILE_IMPERSONATING, which the user may make:', () => {
    interface Scene {
      readonly member: Member;
      readonly roleId: string;
      readonly invitationId: string;
      readonly projectId: string;
      readonly noticeId: string;
    }
    type Call = [method: 'get' | 'put' | 'post' | 'patch' | 'delete', path: string, body?: object];
    let owner: Member;
    let acting: Member;
    let scene: Scene;
    /**
     * Creates what the calls refer to, so that the same user is refused while impersonated and
     * allowed otherwise, in a separate tenant.
     */
    beforeEach(async () => {
      owner = await t.actors.owner({ tenantName: 'Acme' });
      const member = await t.actors.member(owner);
      const made = async (path: string, body: object) =>
        (await t.api.post(`/tenants/current/${path}`).set(owner.bearer).send(body).expect(200)).body.data.id as string;
      const roleId = await t.actors.role(owner, ['tenant.projects.read']);
      const [invitationId, projectId] = [
        await made('invitations', { email: `${newId()}@example.com` }),
        await made('projects', { name: 'Engine' }),
      ];
      acting = await t.actors.impersonating(admin, owner);
      const [{ id: noticeId }] = (await t.api.get('/notifications').set(owner.bearer).expect(200)).body.data.items;
      scene = { member, roleId, invitationId, projectId, noticeId };
    });

    const role = { name: 'Backdoor', permissions: ['tenant.billing.manage'] };
    const calls: [string, (scene: Scene) => Call][] = [
      ['setting a password', () => ['post', '/auth/password', { password: 'a new one, to stay' }]],
      [
        'changing the password',
        () => ['put', '/auth/password', { currentPassword: PASSWORD, newPassword: 'a new one, to stay' }],
      ],
      ['unlinking a provider', () => ['delete', '/auth/providers/github']],
      ['seeing sessions', () => ['get', '/auth/sessions']],
      ['ending the other sessions', () => ['delete', '/auth/sessions']],
      ['ending one session', () => ['delete', `/auth/sessions/${newId()}`]],
      ['switching the tenant', () => ['post', '/auth/switch-tenant', { tenantId: newId() }]],
      ['renaming the user', () => ['patch', '/users/me', { name: 'Someone else' }]],
      ['creating a tenant', () => ['post', '/tenants', { name: 'To stay' }]],
      ['deleting the tenant', () => ['delete', '/tenants/current']],
      [
        'handing the ownership over',
        ({ member }) => ['post', '/tenants/current/ownership', { userId: member.user.id }],
      ],
      ['inviting', () => ['post', '/tenants/current/invitations', { email: `${newId()}@example.com` }]],
      [
        'resending an invitation',
        ({ invitationId }) => ['post', `/tenants/current/invitations/${invitationId}/resend`],
      ],
      ['revoking an invitation', ({ invitationId }) => ['delete', `/tenants/current/invitations/${invitationId}`]],
      ['accepting an invitation', () => ['post', '/invitations/accept', { token: 'x'.repeat(43) }]],
      [
        'changing a member’s role',
        ({ member, roleId }) => ['patch', `/tenants/current/members/${member.user.id}`, { roleId }],
      ],
      ['removing a member', ({ member }) => ['delete', `/tenants/current/members/${member.user.id}`]],
      ['making a role', () => ['post', '/tenants/current/roles', role]],
      ['changing a role', ({ roleId }) => ['put', `/tenants/current/roles/${roleId}`, role]],
      ['deleting a role', ({ roleId }) => ['delete', `/tenants/current/roles/${roleId}`]],
      ['deleting a project', ({ projectId }) => ['delete', `/tenants/current/projects/${projectId}`]],
      ['marking a notification as read', ({ noticeId }) => ['post', `/notifications/${noticeId}/read`]],
      ['marking all notifications as read', () => ['post', '/notifications/read-all']],
    ];
    it.each(calls)('%s', async (_what, call) => {
      const [method, path, body] = call(scene);
      const ask = ({ bearer }: Member) => t.api[method](path).set(bearer).send(body);
      expect(codeOf(await ask(acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      expect((await ask(owner)).status).not.toBe(403);
    });

    it('leaving a tenant', async () => {
      const leave = ({ bearer, user }: Member) => t.api.delete(`/tenants/current/members/${user.id}`).set(bearer);
      expect(codeOf(await leave(await t.actors.impersonating(admin, scene.member)).expect(403))).toBe(
        'NOT_WHILE_IMPERSONATING',
      );
      await leave(scene.member).expect(200);
    });

    it('admin routes, but neither reading, nor renaming the tenant, nor creating projects', async () => {
      expect(codeOf(await t.api.get('/admin/overview').set(acting.bearer).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      expect(codeOf(await impersonate(owner.user.id, {}, acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      for (const path of ['invitations', 'members', 'roles', 'projects'])
        await t.api.get(`/tenants/current/${path}`).set(acting.bearer).expect(200);
      await t.api.get('/notifications').set(acting.bearer).expect(200);
      await t.api.patch('/tenants/current').set(acting.bearer).send({ name: 'Renamed' }).expect(200);
      await t.api.post('/tenants/current/projects').set(acting.bearer).send({ name: 'Renamed' }).expect(200);
      await t.api
        .patch(`/tenants/current/projects/${scene.projectId}`)
        .set(acting.bearer)
        .send({ archived: true })
        .expect(200);
    });
  });

  it('is refused for an admin, oneself, a disabled account and an unknown user', async () => {
    const byEmail = await t.actors.admin();
    const disabled = await t.actors.user({ disabledAt: new Date() });
    expect(codeOf(await impersonate(admin.user.id).expect(403))).toBe('CANNOT_IMPERSONATE');
    expect(codeOf(await impersonate(byEmail.user.id).expect(403))).toBe('CANNOT_IMPERSONATE');
    expect(codeOf(await impersonate(disabled.id).expect(409))).toBe('CONFLICT');
    expect(codeOf(await impersonate(newId()).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await impersonate('somebody').expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await impersonate(owner.user.id, { reason: 'x'.repeat(501) }).expect(400))).toBe('VALIDATION_ERROR');
    const written = await t.database.query(
      `SELECT FROM audit_log WHERE action = 'user.impersonated' AND target_id = ANY($1)`,
      [[admin.user.id, byEmail.user.id, disabled.id]],
    );
    expect(written).toEqual([]);
  });

  it('is refused if the admin flag was revoked after the token was issued', async () => {
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    expect(codeOf(await impersonate(owner.user.id, {}, former).expect(403))).toBe('FORBIDDEN');
  });

  it('starts in the tenant in which the user was active last, or in a given tenant of the user', async () => {
    const other = await t.actors.owner({ tenantName: 'Other' });
    const target = await t.actors.member(owner, 'Member');
    const roleId = await t.actors.roleId(other, 'Member');
    await t.database.query('INSERT INTO memberships VALUES ($1, $2, $3, $4, false, now())', [
      other.tenantId,
      target.user.id,
      newId(),
      roleId,
    ]);
    const tenantOf = async (body?: object) =>
      claimsOf((await impersonate(target.user.id, body).expect(200)).body.data.accessToken).tenant_id;
    expect(await tenantOf()).toBe(owner.tenantId);
    await t.api.post('/auth/switch-tenant').set(target.bearer).send({ tenantId: other.tenantId }).expect(200);
    expect(await tenantOf()).toBe(other.tenantId);
    expect(await tenantOf({ tenantId: owner.tenantId })).toBe(owner.tenantId);
    const foreign = await t.actors.owner();
    expect(codeOf(await impersonate(target.user.id, { tenantId: foreign.tenantId }).expect(404))).toBe('NOT_FOUND');
  });

  it('works for a user without a tenant', async () => {
    const { user } = await t.actors.signedInUser();
    const { accessToken } = (await impersonate(user.id).expect(200)).body.data;
    expect(claimsOf(accessToken)).toMatchObject({
      sub: user.id,
      role: '',
      permissions: [],
      impersonator_id: admin.user.id,
    });
    expect(claimsOf(accessToken)).not.toHaveProperty('tenant_id');
    expect((await t.api.get('/auth/me').set(bearer(accessToken)).expect(200)).body.data.tenant).toBeNull();
  });
});
