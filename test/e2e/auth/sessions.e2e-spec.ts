import { randomUUID } from 'node:crypto';
import { DAY, addSeconds } from '../../../src/platform/clock';
import { CommandBus } from '@nestjs/cqrs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import type { SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

interface SessionItem {
  id: string;
  current: boolean;
}

describe('the list of sessions', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const list = async (authorization: { Authorization: string }, query = {}) =>
    (await t.api.get('/auth/sessions').query(query).set(authorization).expect(200)).body.data as {
      items: SessionItem[];
      nextCursor: string | null;
    };
  const refresh = (refreshToken: string) => t.api.post('/auth/refresh').send({ refreshToken });

  it('contains the sessions of the user and marks the current one', async () => {
    const actor = await t.actors.signedInUser();
    await t.api
      .post('/auth/login')
      .set('User-Agent', 'Phone/1.0')
      .send({ email: actor.user.email, password: 'correct horse battery' })
      .expect(200);
    const { items, nextCursor } = await list(actor.bearer);
    expect(nextCursor).toBeNull();
    expect(items).toEqual([
      {
        id: expect.any(String),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        ip: '127.0.0.1',
        userAgent: 'Phone/1.0',
        current: false,
      },
      expect.objectContaining({ current: true }),
    ]);
  });

  it('still marks the current session after a refresh', async () => {
    const actor = await t.actors.signedInUser();
    const { body } = await refresh(actor.refreshToken).expect(200);
    const { items } = await list({ Authorization: `Bearer ${body.data.accessToken}` });
    expect(items).toEqual([expect.objectContaining({ current: true })]);
  });

  it('is paginated, and pages do not shift when sessions are added', async () => {
    const actor = await t.actors.signedInUser();
    for (let i = 0; i < 4; i++) await t.actors.signIn(actor.user.email);
    const first = await list(actor.bearer, { limit: 2 });
    await t.actors.signIn(actor.user.email);
    const second = await list(actor.bearer, { limit: 2, cursor: first.nextCursor });
    const third = await list(actor.bearer, { limit: 2, cursor: second.nextCursor });
    expect(third.nextCursor).toBeNull();
    const ids = [...first.items, ...second.items, ...third.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: 'x' },
    { limit: 1.5 },
    { cursor: 'not-a-cursor' },
    { cursor: '../..' },
  ])('refuses %j', async (query) => {
    const actor = await t.actors.signedInUser();
    const { body } = await t.api.get('/auth/sessions').query(query).set(actor.bearer).expect(400);
    expect(Object.keys(body.error.details)).toEqual(Object.keys(query));
  });

  it('lets the user end a session, and responds with 404 to a foreign, an ended or an unknown one', async () => {
    const actor = await t.actors.signedInUser();
    const phone = await t.actors.signIn(actor.user.email);
    const stranger = await t.actors.signedInUser();
    const id = (await list(actor.bearer)).items.find(({ current }) => !current)!.id;
    const end = (authorization: { Authorization: string }, sessionId: string) =>
      t.api.delete(`/auth/sessions/${sessionId}`).set(authorization);
    await end(stranger.bearer, id).expect(404);
    expect((await end(actor.bearer, id).expect(200)).body).toEqual({ success: true, data: null });
    await end(actor.bearer, id).expect(404);
    await end(actor.bearer, randomUUID()).expect(404);
    await end(actor.bearer, 'no-uuid').expect(400);
    expect((await refresh(phone.refreshToken).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
    await refresh(actor.refreshToken).expect(200);
  });

  it('lets the user end all other sessions', async () => {
    const actor = await t.actors.signedInUser();
    const others = [await t.actors.signIn(actor.user.email), await t.actors.signIn(actor.user.email)];
    await t.api.delete('/auth/sessions').set(actor.bearer).expect(200);
    expect((await list(actor.bearer)).items).toHaveLength(1);
    for (const { refreshToken } of others) await refresh(refreshToken).expect(401);
    await refresh(actor.refreshToken).expect(200);
  });

  it('loses a session on sign-out, which clears the cookie and is idempotent', async () => {
    const actor = await t.actors.signedInUser();
    const logOut = () => t.api.post('/auth/logout').set('Cookie', `refresh_token=${actor.refreshToken}`);
    const { body, headers } = await logOut().expect(200);
    expect(body).toEqual({ success: true, data: null });
    expect(headers['set-cookie'][0]).toMatch(/^refresh_token=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970/);
    await refresh(actor.refreshToken).expect(401);
    await logOut().expect(200);
    await t.api.post('/auth/logout').send({ refreshToken: 'unknown' }).expect(200);
    await t.api.post('/auth/logout').expect(200);
  });

  describe('with an expired session', () => {
    const purge = () => t.nest.get(CommandBus).execute(new PurgeExpired());
    const count = async (table: string, where: string, parameters: unknown[]) =>
      (await t.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`, parameters))[0]
        .n;
    const sessionsOf = ({ user }: SignedInUser) => count('sessions', 'user_id = $1', [user.id]);
    const tokensOf = ({ user }: SignedInUser) =>
      count('refresh_tokens', 'session_id IN (SELECT id FROM sessions WHERE user_id = $1)', [user.id]);

    it('omits it, reports its token as expired for 30 days, and then purges it with its emailed links', async () => {
      const actor = await t.actors.refreshed(await t.actors.signedInUser());
      await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
      await t.mailbox.last(actor.user.email);
      t.clock.advance(7 * DAY + 1);
      const fresh = await t.actors.signIn(actor.user.email);
      expect((await list(fresh.bearer)).items).toHaveLength(1);
      await purge();
      expect([await sessionsOf(actor), await tokensOf(actor)]).toEqual([2, 2]); // the used one was deleted
      t.clock.advance(30 * DAY - 60);
      await purge();
      expect((await refresh(actor.refreshToken).expect(401)).body.error.code).toBe('TOKEN_EXPIRED');
      t.clock.advance(61);
      await purge();
      expect((await refresh(actor.refreshToken).expect(401)).body.error.code).toBe('INVALID_TOKEN');
      expect((await refresh(fresh.refreshToken).expect(401)).body.error.code).toBe('TOKEN_EXPIRED');
      expect([await sessionsOf(actor), await tokensOf(actor)]).toEqual([1, 1]);
      expect(await count('one_time_tokens', 'user_id = $1', [actor.user.id])).toBe(0);
    });

    const purged = () => {
      const task = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'purge-expired'`;
      return eventually(
        async () => (await t.database.query(task)).length === 0 || undefined,
        'the end of the purge',
        30_000,
      );
    };

    it('purges any number of sessions, but only with their last token, and keeps live tokens', async () => {
      const actor = await t.actors.signedInUser();
      const add = `
        WITH opened AS (
          INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, current_token_id)
          SELECT gen_random_uuid(), $1, $2::timestamptz - interval '50 days', $2::timestamptz - interval '45 days',
                 $2::timestamptz - interval '40 days' + n * interval '1 second', gen_random_uuid()
            FROM generate_series(1, 12000) n RETURNING id, expires_at, current_token_id
        )
        INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
        SELECT CASE n WHEN 3 THEN current_token_id ELSE gen_random_uuid() END, id,
               sha256(gen_random_uuid()::text::bytea), expires_at - (3 - n) * interval '15 minutes'
          FROM opened, generate_series(1, 3) n`;
      await t.database.query(add, [actor.user.id, t.clock.now()]);
      await purge();
      await purged();
      expect([await sessionsOf(actor), await tokensOf(actor)]).toEqual([1, 1]);
      const orphans = 'NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = sessions.id)';
      expect(await count('sessions', orphans, [])).toBe(0);
      await refresh(actor.refreshToken).expect(200);
    }, 60_000);

    it('finds used tokens among any number of kept ones that expired at the same time', async () => {
      const actor = await t.actors.signedInUser();
      const add = `
        WITH opened AS (
          INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, current_token_id)
          SELECT gen_random_uuid(), $1, $2, $2, $2, gen_random_uuid()
            FROM generate_series(1, 6000) RETURNING id, expires_at, current_token_id
        )
        INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
        SELECT unnest(ARRAY[current_token_id, gen_random_uuid()]), id, sha256('secret'::bytea), expires_at FROM opened`;
      await t.database.query(add, [actor.user.id, addSeconds(t.clock.now(), -60)]);
      await purge();
      await purged();
      expect([await sessionsOf(actor), await tokensOf(actor)]).toEqual([6001, 6001]);
    }, 60_000);
  });
});
