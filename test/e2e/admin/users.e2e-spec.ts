import { newId } from '../../../src/platform/ids';
import { type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { expectSessionEnd } from '../../support/session-end';

describe('users for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin({ email: 'operator@tenantry.test', name: 'Otto' });
  });
  afterAll(() => t.close());

  const list = async (query: object) =>
    (await t.api.get('/admin/users').query(query).set(admin.bearer).expect(200)).body.data;
  const emails = async (search: string) =>
    (await list({ search, limit: 100 })).items.map(({ email }: { email: string }) => email);
  const get = (id: string) => t.api.get(`/admin/users/${id}`).set(admin.bearer);
  const change = (id: string, what: string, by = admin) => t.api.post(`/admin/users/${id}/${what}`).set(by.bearer);

  it('are listed newest first, page by page, unaffected by new accounts', async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.unshift((await t.actors.user({ name: `Paged ${i}` })).id);
    const first = await list({ limit: 2 });
    await t.actors.user();
    const second = await list({ limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.slice(0, 4));
    // the comparison with the API document refuses any other field
    expect(first.items[0]).toMatchObject({
      id: made[0],
      email: expect.any(String),
      name: 'Paged 4',
      isEmailVerified: true,
      pictureUrl: null,
      isAdmin: false,
      createdAt: expect.stringMatching(/Z$/),
      disabledAt: null,
    });
  });

  it('are found by parts of the email and the name, in any case, if all words match', async () => {
    await t.actors.user({ email: 'ada.lovelace@analytical.example', name: 'Ada King' });
    await t.actors.user({ email: 'charles@analytical.example', name: 'Charles Babbage' });
    await t.actors.user({ email: 'odd_one@percent.example', name: '100% \\Odd' });
    expect(await emails('LOVELACE')).toEqual(['ada.lovelace@analytical.example']);
    expect(await emails('abbag')).toEqual(['charles@analytical.example']);
    expect(await emails('analytical')).toEqual(['charles@analytical.example', 'ada.lovelace@analytical.example']);
    expect(await emails('analytical  king')).toEqual(['ada.lovelace@analytical.example']);
    expect(await emails('analytical nobody')).toEqual([]);
    expect(await emails('ki')).toEqual(['ada.lovelace@analytical.example']); // matches the beginning of a word
    // of the email too
    for (const part of ['lo', 'an lo']) expect(await emails(part)).toEqual(['ada.lovelace@analytical.example']);
    expect(await emails('in')).toEqual([]); // too short to match the end of a word
    for (const literal of ['d_o', '00% \\', '100%']) expect(await emails(literal)).toEqual(['odd_one@percent.example']);
    for (const wildcard of ['%%%', '___', 'a%c', "'; --"]) expect(await emails(wildcard)).toEqual([]);
  });

  it('are found by id; a blank search matches all, a long one is refused', async () => {
    const user = await t.actors.user();
    expect(await emails(user.id.toUpperCase())).toEqual([user.email]);
    expect(await emails(newId())).toEqual([]);
    expect((await list({ search: ' ' })).items.length).toBeGreaterThan(3);
    expect(
      codeOf(
        await t.api
          .get('/admin/users')
          .query({ search: 'x'.repeat(101) })
          .set(admin.bearer)
          .expect(400),
      ),
    ).toBe('VALIDATION_ERROR');
    expect(codeOf(await t.api.get('/admin/users').query({ search: 'a\u0000b' }).set(admin.bearer).expect(400))).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('can be searched by up to five words', async () => {
    await t.actors.user({ email: 'pablo@analytical.example', name: 'Pablo Diego José Francisco Ruiz' });
    expect(await emails('pablo diego  jo fr ruiz')).toEqual(['pablo@analytical.example']);
    const { body } = await t.api
      .get('/admin/users')
      .query({ search: 'pablo diego jo fr ruiz p' })
      .set(admin.bearer)
      .expect(400);
    expect(body.error.details).toEqual({ search: ['must contain at most 5 words'] });
  });

  it('are found among many, frequent or rare, old or new, page by page and each once', async () => {
    await t.database.query(
      `INSERT INTO users (id, email, name, is_email_verified, created_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'many' || i || '@crowd.example',
              CASE WHEN i % 2000 = 7 THEN 'Rare Bird' ELSE 'Common Sparrow' END, true, now()
                FROM generate_series(1, 12000) i`,
    );
    const pages = async (search: string, limit: number, most: number) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { items, nextCursor } = await list({ search, limit, cursor });
        found.push(...items.map(({ id }: { id: string }) => id));
        cursor = nextCursor ?? undefined;
      } while (cursor && found.length < most);
      return found;
    };
    const rare = await pages('rare bird', 2, 100);
    expect(rare.map((id) => parseInt(id.slice(-12), 16))).toEqual([10007, 8007, 6007, 4007, 2007, 7]);
    const frequent = await pages('sparrow', 50, 200);
    expect(new Set(frequent).size).toBe(200);
    expect(frequent).toEqual([...frequent].sort().reverse());
    await t.database.query(`DELETE FROM users WHERE email LIKE 'many%'`);
  });

  it('are shown with their sessions, providers and memberships', async () => {
    const owner = await t.actors.owner({ tenantName: 'Acme' });
    await t.actors.signIn(owner.user.email);
    await t.database.query(`INSERT INTO linked_providers VALUES ('github', '42', $1, now())`, [owner.user.id]);
    const { body } = await get(owner.user.id).expect(200);
    expect(body.data).toMatchObject({
      id: owner.user.id,
      hasPassword: true,
      providers: [{ provider: 'github', providerUserId: '42', linkedAt: expect.any(String) }],
      memberships: [{ tenantId: owner.tenantId, tenantName: 'Acme', role: 'Owner', joinedAt: expect.any(String) }],
    });
    expect(body.data.sessions).toHaveLength(2);
    expect(JSON.stringify(body)).not.toMatch(/argon2|token/i);
    expect(codeOf(await get(newId()).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await get('x').expect(400))).toBe('VALIDATION_ERROR');
  });

  it('can lose one session, which is recorded, and keep the others', async () => {
    const actor = await t.actors.signedInUser();
    const other = await t.actors.signIn(actor.user.email);
    const sessions = async () =>
      (await get(actor.user.id).expect(200)).body.data.sessions.map(({ id }: { id: string }) => id) as string[];
    const [newer, older] = await sessions();
    const end = (userId: string, sessionId: string, by = admin) =>
      t.api.delete(`/admin/users/${userId}/sessions/${sessionId}`).set(by.bearer);
    for (const [userId, sessionId] of [
      [admin.user.id, older],
      [newId(), older],
      [actor.user.id, newId()],
    ]) {
      expect(codeOf(await end(userId, sessionId).expect(404))).toBe('NOT_FOUND');
    }
    expect(codeOf(await end(actor.user.id, 'x').expect(400))).toBe('VALIDATION_ERROR');
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    expect(codeOf(await end(actor.user.id, older, former).expect(403))).toBe('FORBIDDEN');
    expect((await end(actor.user.id, older).expect(200)).body).toEqual({ success: true, data: null });
    expect(await sessions()).toEqual([newer]);
    await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401);
    await t.api.post('/auth/refresh').send({ refreshToken: other.refreshToken }).expect(200);
    expect(codeOf(await end(actor.user.id, older).expect(404))).toBe('NOT_FOUND');
    const written = await t.database.query(
      'SELECT action, actor_id AS "by", data FROM audit_log WHERE target_id = $1 AND action <> $2',
      [older, 'session.begun'],
    );
    expect(written).toContainEqual({
      action: 'session.revoked',
      by: admin.user.id,
      data: { reason: 'ended-by-operator' },
    });
  });

  it('can be disabled, which ends every session and refuses sign-in, and enabled again', async () => {
    const actor = await t.actors.signedInUser();
    const { id, email } = actor.user;
    for (let i = 0; i < 2; i++)
      expect((await change(id, 'disable').expect(200)).body).toEqual({ success: true, data: null });
    expect(codeOf(await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(403))).toBe(
      'ACCOUNT_DISABLED',
    );
    expect(codeOf(await t.api.post('/auth/login').send({ email, password: 'correct horse battery' }).expect(403))).toBe(
      'ACCOUNT_DISABLED',
    );
    expect((await get(id)).body.data).toMatchObject({ disabledAt: expect.stringMatching(/Z$/), sessions: [] });
    for (let i = 0; i < 2; i++) await change(id, 'enable').expect(200);
    expect((await get(id)).body.data.disabledAt).toBeNull();
    expect(codeOf(await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401))).toBe(
      'TOKEN_REUSE_DETECTED',
    );
    await t.actors.signIn(email);
    const written = await t.database.query<{ action: string; actor_id: string }>(
      `SELECT action, actor_id FROM audit_log WHERE (target_id = $1
        AND action <> 'admin.viewed') OR (target_type = 'session' AND action = 'session.revoked'
        AND data->>'reason' = 'disabled') ORDER BY id`,
      [id],
    );
    expect(written).toEqual(
      ['session.revoked', 'user.disabled', 'user.enabled'].map((action) => ({ action, actor_id: admin.user.id })),
    );
  });

  it('are disabled with a reason for the audit log, which is optional', async () => {
    const written = async (id: string) =>
      (
        await t.database.query<{ data: object }>(
          `SELECT data FROM audit_log WHERE target_id = $1 AND action = 'user.disabled'`,
          [id],
        )
      ).map(({ data }) => data);
    const [spammer, other] = [await t.actors.user(), await t.actors.user()];
    await change(spammer.id, 'disable').send({ reason: '  Ticket 4712: sends spam ' }).expect(200);
    expect(await written(spammer.id)).toEqual([{ reason: 'Ticket 4712: sends spam' }]);
    for (const reason of ['', '   ', 'x'.repeat(501), 42, null])
      expect((await change(other.id, 'disable').send({ reason }).expect(400)).body.error.details).toHaveProperty(
        'reason',
      );
    expect((await get(other.id)).body.data.disabledAt).toBeNull();
    await change(other.id, 'disable').expect(200);
    expect(await written(other.id)).toEqual([{}]);
  });

  it('cannot disable themselves; the response to an unknown id is 404', async () => {
    expect(codeOf(await change(admin.user.id, 'disable').expect(409))).toBe('CONFLICT');
    await t.api.get('/admin/overview').set(admin.bearer).expect(200);
    for (const what of ['disable', 'enable']) expect(codeOf(await change(newId(), what).expect(404))).toBe('NOT_FOUND');
  });

  it('cannot be changed if the admin flag was revoked after the token was issued', async () => {
    const [former, disabled] = [await t.actors.admin(), await t.actors.admin()];
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    await change(disabled.user.id, 'disable').expect(200);
    await expectSessionEnd(() => t.api.get('/auth/me').set(disabled.bearer));
    const { id } = await t.actors.user({ disabledAt: new Date() });
    for (const [by, status, code] of [
      [former, 403, 'FORBIDDEN'],
      [disabled, 401, 'SESSION_ENDED'],
    ] as const) {
      expect(codeOf(await change(admin.user.id, 'disable', by).expect(status))).toBe(code);
      expect(codeOf(await change(by.user.id, 'enable', by).expect(status))).toBe(code);
      expect(codeOf(await change(id, 'enable', by).expect(status))).toBe(code);
    }
    expect((await get(disabled.user.id)).body.data.disabledAt).not.toBeNull();
  });

  it('stay enabled for one of two admins that disable each other at the same time', async () => {
    const [one, other] = [await t.actors.admin(), await t.actors.admin()];
    const responses = await Promise.all([change(other.user.id, 'disable', one), change(one.user.id, 'disable', other)]);
    const [done, refused] = responses.map(({ status }) => status).sort();
    expect(done).toBe(200);
    // disabled before the admin check, or the session has already ended
    expect([401, 403]).toContain(refused);
  });

  it('refuse a sign-in that happens while they are being disabled', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, email } = await t.actors.user();
      const login = () => t.api.post('/auth/login').send({ email, password: 'correct horse battery' }).then();
      const [, ...logins] = await Promise.all([change(id, 'disable').then(), login(), login(), login()]);
      expect(logins.every(({ status }) => [200, 401, 403].includes(status))).toBe(true);
      expect(await t.database.query('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id])).toEqual(
        [],
      );
    }
  });
});
