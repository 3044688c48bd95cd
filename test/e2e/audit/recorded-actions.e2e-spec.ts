import { randomUUID } from 'node:crypto';
import { RecordViewHandler } from '../../../src/admin/commands/record-view';
import { AuditAggregation } from '../../../src/audit/services/audit-aggregation';
import { MINUTE } from '../../../src/platform/clock';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

interface Entry {
  readonly action: string;
  readonly actor_id: string | null;
  readonly target_type: string;
  readonly target_id: string;
  readonly data: Record<string, unknown>;
}

describe('the audit log records', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start();
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const entries = (action: string, targetId: string) =>
    t.database.query<Entry>('SELECT * FROM audit_log WHERE action = $1 AND target_id = $2', [action, targetId]);
  const flush = () => t.nest.get(AuditAggregation, { strict: false }).flush(t.clock.now());
  const wrongPassword = (email: string) =>
    t.api.post('/auth/login').send({ email, password: 'not the password' }).expect(401);

  it('a password change, even if no other session ended', async () => {
    const actor = await t.actors.signedInUser();
    const body = { currentPassword: PASSWORD, newPassword: 'another long phrase' };
    await t.api
      .put('/auth/password')
      .set(actor.bearer)
      .send({ ...body, currentPassword: 'wrong phrase' })
      .expect(401);
    expect(await entries('user.password-changed', actor.user.id)).toEqual([]);
    await t.api.put('/auth/password').set(actor.bearer).send(body).expect(200);
    expect(await entries('user.password-changed', actor.user.id)).toMatchObject([
      { actor_id: actor.user.id, target_type: 'user' },
    ]);
  });

  it('a password reset, even if nobody was signed in', async () => {
    const user = await t.actors.user();
    await t.api.post('/auth/password/forgot').send({ email: user.email }).expect(200);
    await t.api
      .post('/auth/password/reset')
      .send({ token: await t.mailbox.token(user.email), password: 'another long phrase' })
      .expect(200);
    expect(await entries('user.password-reset', user.id)).toMatchObject([{ actor_id: user.id }]);
  });

  it('wrong passwords when the service stops', async () => {
    const other = await TestApp.start({ beside: t });
    const user = await t.actors.user();
    await other.api.post('/auth/login').send({ email: user.email, password: 'not the password' }).expect(401);
    await other.close();
    expect(await entries('user.sign-in-failed', user.id)).toHaveLength(1);
  });

  it('refused requests to admin routes: the first of a person at once, and how many more there were', async () => {
    const actor = await t.actors.signedInUser();
    const found = () => t.database.query<Entry>(`SELECT * FROM audit_log WHERE action = 'access.denied' ORDER BY id`);
    const entry = { actor_id: actor.user.id, target_type: 'route', target_id: 'GET /api/v1/admin/users' };
    const requests = Array.from({ length: 5 }, () => t.api.get('/admin/users').set(actor.bearer).expect(403));
    await Promise.all(requests);
    await t.api.get('/admin/users').expect(401);
    expect(await found()).toMatchObject([{ ...entry, data: { count: 1 } }]);
    await flush();
    expect(await found()).toMatchObject([
      { ...entry, data: { count: 1 } },
      { ...entry, data: { count: 4 } },
    ]);
  });

  it('the accounts and the entries that operators viewed', async () => {
    const user = await t.actors.user();
    await t.api.get(`/admin/users/${user.id}`).set(admin.bearer).expect(200);
    await t.api.get('/admin/users?search=ada&limit=5').set(admin.bearer).expect(200);
    await t.api.get('/admin/audit-log?action=role.created&note=never+declared').set(admin.bearer).expect(200);
    await t.api.get('/admin/users?limit=0&search=refused').set(admin.bearer).expect(400);
    await t.api.get('/admin/users/nonsense').set(admin.bearer).expect(400);
    await t.api.get(`/admin/users/${randomUUID()}`).set(admin.bearer).expect(404);
    const viewed = await t.database.query<Entry>(`SELECT * FROM audit_log WHERE action = 'admin.viewed' ORDER BY id`);
    expect(
      viewed.map(({ actor_id, target_type, target_id, data }) => [actor_id, target_type, target_id, data]),
    ).toEqual([
      [admin.user.id, 'user', user.id, {}],
      [admin.user.id, 'user', 'list', { search: 'ada', limit: '5' }],
      [admin.user.id, 'audit-log', 'list', { action: 'role.created' }],
    ]);
  });

  it('a view before showing it, and shows nothing if it cannot', async () => {
    const broken = jest
      .spyOn(t.nest.get(RecordViewHandler, { strict: false }), 'execute')
      .mockRejectedValue(new Error('no audit log'));
    const response = await t.api.get('/admin/users').set(admin.bearer).expect(500);
    expect(response.body).toEqual({ success: false, error: { code: 'INTERNAL_ERROR', message: expect.any(String) } });
    broken.mockRestore();
    await t.api.get('/admin/users').set(admin.bearer).expect(200);
  });

  it('wrong passwords of known accounts every 15 minutes, with their number and IP addresses', async () => {
    const user = await t.actors.user();
    for (let attempt = 0; attempt < 3; attempt++) await wrongPassword(user.email);
    await wrongPassword('nobody@example.com');
    t.clock.advance(14 * MINUTE);
    await t.nest.get(AuditAggregation, { strict: false }).flush(new Date(t.clock.now().getTime() - 15 * MINUTE * 1000));
    expect(await entries('user.sign-in-failed', user.id)).toEqual([]);
    t.clock.advance(MINUTE);
    await t.nest.get(AuditAggregation, { strict: false }).flush(new Date(t.clock.now().getTime() - 15 * MINUTE * 1000));
    const [entry, ...others] = await entries('user.sign-in-failed', user.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor_id: null,
      data: { count: 3, addresses: [expect.stringContaining('127.0.0.1')], since: expect.any(String) },
    });
    expect(
      await t.database.query(`SELECT FROM audit_log WHERE action = 'user.sign-in-failed' AND target_type <> 'user'`),
    ).toEqual([]);
  });
});
