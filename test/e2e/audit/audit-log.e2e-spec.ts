import { bearer, claimsOf, PASSWORD, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

interface Entry {
  readonly action: string;
  readonly [field: string]: unknown;
}

describe('the audit log', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const entries = async (by: Member, query = '?limit=100') =>
    (await t.api.get(`/tenants/current/audit-log${query}`).set(by.bearer).expect(200)).body.data.items as Entry[];
  const last = async (by: Member) => (await entries(by, '?limit=1'))[0];

  it('records everything that happens in a tenant, in order, with actor and target', async () => {
    const owner = await t.actors.owner({ tenantName: 'Before' });
    const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
      t.api[method](`/tenants/current${path}`)
        .set(owner.bearer)
        .set('X-Request-Id', `r:${method}${path}`)
        .send(body)
        .expect(200);
    await send('patch', '', { name: 'After' });
    const role = (await send('post', '/roles', { name: 'Viewer', permissions: ['tenant.projects.read'] })).body.data
      .id as string;
    await send('put', `/roles/${role}`, { name: 'Reader', permissions: ['tenant.projects.read'] });
    const guest = await t.actors.signedInUser();
    const invitation = (await send('post', '/invitations', { email: guest.user.email, roleId: role })).body.data
      .id as string;
    await t.api
      .post('/invitations/accept')
      .set(guest.bearer)
      .send({ token: await t.mailbox.token(guest.user.email) })
      .expect(200);
    const admin = await t.actors.roleId(owner, 'Admin');
    await send('patch', `/members/${guest.user.id}`, { roleId: admin });
    await send('delete', `/roles/${role}`);
    const other = (await send('post', '/invitations', { email: 'other@example.com' })).body.data.id as string;
    await send('post', `/invitations/${other}/resend`);
    await send('delete', `/invitations/${other}`);
    const project = (await send('post', '/projects', { name: 'Engine' })).body.data.id as string;
    await send('patch', `/projects/${project}`, { archived: true });
    await send('delete', `/projects/${project}`);
    await send('post', '/ownership', { userId: guest.user.id });
    // refused requests create no entry
    await send('post', '/ownership', { userId: guest.user.id }).catch(() => undefined);
    const listed = (await entries(owner)).reverse().filter(({ action }) => action !== 'user.signed-in');
    const id = owner.tenantId;
    const user = guest.user.id;
    expect(
      listed.map(({ action, actorId, targetType, targetId, data }) => [action, actorId, targetType, targetId, data]),
    ).toEqual([
      ['tenant.created', owner.user.id, 'tenant', id, { name: 'Before' }],
      ['tenant.renamed', owner.user.id, 'tenant', id, { name: 'After' }],
      ['role.created', owner.user.id, 'role', role, { name: 'Viewer', permissions: ['tenant.projects.read'] }],
      ['role.updated', owner.user.id, 'role', role, { name: 'Reader', permissions: ['tenant.projects.read'] }],
      [
        'invitation.sent',
        owner.user.id,
        'invitation',
        invitation,
        { email: guest.user.email, roleId: role, role: 'Reader' },
      ],
      ['invitation.accepted', user, 'invitation', invitation, { email: guest.user.email }],
      ['member.joined', user, 'user', user, { roleId: role, role: 'Reader' }],
      ['member.role-changed', owner.user.id, 'user', user, { roleId: admin, role: 'Admin' }],
      ['role.deleted', owner.user.id, 'role', role, { name: 'Reader' }],
      [
        'invitation.sent',
        owner.user.id,
        'invitation',
        other,
        { email: 'other@example.com', roleId: expect.any(String), role: 'Member' },
      ],
      ['invitation.resent', owner.user.id, 'invitation', other, { email: 'other@example.com' }],
      ['invitation.revoked', owner.user.id, 'invitation', other, { email: 'other@example.com' }],
      ['project.created', owner.user.id, 'project', project, { name: 'Engine', archived: false }],
      ['project.changed', owner.user.id, 'project', project, { name: 'Engine', archived: true }],
      ['project.deleted', owner.user.id, 'project', project, { name: 'Engine', archived: true }],
      ['tenant.ownership-transferred', owner.user.id, 'user', user, {}],
    ]);
    expect(listed[1]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      action: 'tenant.renamed',
      actorId: owner.user.id,
      impersonatorId: null,
      principalKind: null,
      principalId: null,
      tenantId: id,
      targetType: 'tenant',
      targetId: id,
      ip: expect.stringContaining('127.0.0.1'),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), // generated here, whatever the caller sends
      data: { name: 'After' },
    });
  });

  it('records sign-ins, revoked sessions with the reason, and reused refresh tokens', async () => {
    const owner = await t.actors.owner();
    const [session] = await t.database.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
      owner.user.id,
    ]);
    expect(await last(owner)).toMatchObject({
      action: 'user.signed-in',
      actorId: owner.user.id,
      targetType: 'session',
      targetId: session.id,
    });
    const second = await t.actors.signIn(owner.user.email);
    await t.api.delete('/auth/sessions').set(owner.bearer).expect(200);
    expect(await last(owner)).toMatchObject({
      action: 'session.revoked',
      actorId: owner.user.id,
      data: { reason: 'ended-by-user' },
    });
    // already ended: no further entry
    await t.api.post('/auth/logout').send({ refreshToken: second.refreshToken }).expect(200);
    const third = await t.actors.signIn(owner.user.email);
    await t.api.post('/auth/logout').send({ refreshToken: third.refreshToken }).expect(200);
    expect(await last(owner)).toMatchObject({ action: 'session.revoked', data: { reason: 'logout' } });
    const fourth = await t.actors.signIn(owner.user.email);
    await t.api
      .put('/auth/password')
      .set(owner.bearer)
      .send({ currentPassword: PASSWORD, newPassword: 'a wholly new one' })
      .expect(200);
    expect(await last(owner)).toMatchObject({ action: 'session.revoked', data: { reason: 'password-changed' } });
    expect(
      (await t.api.post('/auth/refresh').send({ refreshToken: fourth.refreshToken }).expect(401)).body.error.code,
    ).toBe('TOKEN_REUSE_DETECTED');
    await t.actors.refreshed(owner);
    await t.api.post('/auth/refresh').send({ refreshToken: owner.refreshToken }).expect(401);
    const { body } = await t.api
      .post('/auth/login')
      .send({ email: owner.user.email, password: 'a wholly new one' })
      .expect(200);
    const again: Member = { ...owner, bearer: bearer(body.data.accessToken) };
    const listed = await entries(again);
    expect(listed[1]).toMatchObject({
      action: 'session.token-reused',
      targetId: session.id,
      data: { reason: 'token-reuse' },
    });
    expect(listed.map(({ action }) => action).reverse()).toEqual([
      'tenant.created',
      'user.signed-in',
      'user.signed-in',
      'session.revoked',
      'user.signed-in',
      'session.revoked',
      'user.signed-in',
      'session.revoked',
      'session.token-reused',
      'user.signed-in',
    ]);
  });

  it('does not show a tenant the actions of a former member', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    await t.api.delete(`/tenants/current/members/${member.user.id}`).set(owner.bearer).expect(200);
    await t.api.post('/auth/logout').send({ refreshToken: member.refreshToken }).expect(200);
    expect((await last(owner)).action).toBe('member.removed');
    await t.actors.signIn(member.user.email);
    expect((await last(owner)).action).toBe('member.removed');
    expect(
      await t.database.query('SELECT FROM audit_log WHERE actor_id = $1 AND tenant_id IS NULL', [member.user.id]),
    ).toHaveLength(2);
  });

  it('is written in the transaction of the change or not at all', async () => {
    const owner = await t.actors.owner();
    const count = async () => (await t.database.query('SELECT FROM audit_log')).length;
    const before = await count();
    await t.api
      .post('/tenants/current/roles')
      .set(owner.bearer)
      .send({ name: 'Owner', permissions: ['tenant.projects.read'] })
      .expect(400);
    await t.api.post('/auth/login').send({ email: owner.user.email, password: 'wrong one' }).expect(401);
    expect(await count()).toBe(before);
    await t.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    await t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'Unaudited' }).expect(500);
    await t.api.post('/auth/login').send({ email: owner.user.email, password: PASSWORD }).expect(500);
    await t.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    expect((await t.api.get('/tenants/current/projects').set(owner.bearer).expect(200)).body.data.items).toEqual([]);
    expect(await t.database.query('SELECT FROM sessions WHERE user_id = $1', [owner.user.id])).toHaveLength(1);
  });

  it('cannot be changed or emptied, not even by a superuser', async () => {
    await t.actors.owner();
    for (const sql of [
      "UPDATE audit_log SET action = 'x'",
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
      'DELETE FROM audit_log WHERE false',
    ]) {
      await expect(t.database.query(sql)).rejects.toThrow('append-only');
    }
  });

  it('is listed page by page, newest first, with the permission to view it', async () => {
    const owner = await t.actors.owner();
    for (const name of ['One', 'Two'])
      await t.api.post('/tenants/current/projects').set(owner.bearer).send({ name }).expect(200);
    const all = await entries(owner);
    const { body } = await t.api.get('/tenants/current/audit-log?limit=2').set(owner.bearer).expect(200);
    expect([...body.data.items, ...(await entries(owner, `?cursor=${body.data.nextCursor}`))]).toEqual(all);
    expect(all[0].data).toMatchObject({ name: 'Two' });
    await t.api
      .get('/tenants/current/audit-log')
      .set((await t.actors.member(owner)).bearer)
      .expect(403);
    await t.api
      .get('/tenants/current/audit-log')
      .set((await t.actors.member(owner, 'Admin')).bearer)
      .expect(200);
  });

  it('records a sign-in in the tenant that becomes active, or in none', async () => {
    const actor = await t.actors.signedInUser();
    const [entry] = await t.database.query<{ tenant_id: string | null }>(
      'SELECT tenant_id FROM audit_log WHERE actor_id = $1',
      [actor.user.id],
    );
    expect(entry.tenant_id).toBeNull();
    expect(claimsOf(actor.accessToken)).not.toHaveProperty('tenant_id');
  });
});
