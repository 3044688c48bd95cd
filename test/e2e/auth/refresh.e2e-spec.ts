import { parseSetCookie } from 'cookie';
import { refreshTokenText } from '../../../src/auth/domain/refresh-token-text';
import { DAY } from '../../../src/platform/clock';
import { digestOf, newSecret, newSecretToken } from '../../../src/platform/secret-token';
import { bearer, claimsOf, PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('refreshing a session', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const refresh = (refreshToken: string) => t.api.post('/auth/refresh').send({ refreshToken });
  const codeOf = async (refreshToken: string, status = 401) =>
    (await refresh(refreshToken).expect(status)).body.error.code as string;
  const liveTokens = async (userId: string) =>
    t.database.query(
      `SELECT t.id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
         WHERE s.user_id = $1 AND t.id = s.current_token_id AND s.revoked_at IS NULL`,
      [userId],
    );

  it('exchanges the token for the next pair of the same session', async () => {
    const actor = await t.actors.signedInUser();
    const { body, headers } = await refresh(actor.refreshToken).expect(200);
    expect(body.data.refreshToken).not.toBe(actor.refreshToken);
    expect(headers['set-cookie'][0]).toContain(`refresh_token=${body.data.refreshToken};`);
    expect(claimsOf(body.data.accessToken).jti).not.toBe(claimsOf(actor.accessToken).jti);
    const rows = await t.database.query<{ session_id: string }>(
      'SELECT DISTINCT session_id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1',
      [actor.user.id],
    );
    expect(rows).toHaveLength(1);
    await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
  });

  it('reads the token from the cookie, but prefers the body', async () => {
    const one = await t.actors.signedInUser();
    const other = await t.actors.signedInUser();
    const { body } = await t.api.post('/auth/refresh').set('Cookie', `refresh_token=${one.refreshToken}`).expect(200);
    expect(claimsOf(body.data.accessToken).sub).toBe(one.user.id);
    const both = await t.api
      .post('/auth/refresh')
      .set('Cookie', `refresh_token=${body.data.refreshToken}`)
      .send({ refreshToken: other.refreshToken })
      .expect(200);
    expect(claimsOf(both.body.data.accessToken).sub).toBe(other.user.id);
  });

  it('ignores the cookie on a request of a foreign origin', async () => {
    const actor = await t.actors.signedInUser();
    const from = (origin: string) =>
      t.api.post('/auth/refresh').set('Cookie', `refresh_token=${actor.refreshToken}`).set('Origin', origin);
    expect((await from('https://evil.example').expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    await from('http://localhost:5173').expect(200);
    const logOut = await t.api
      .post('/auth/logout')
      .set('Cookie', 'refresh_token=x')
      .set('Origin', 'https://evil.example')
      .expect(200);
    expect(logOut.headers['set-cookie']).toBeUndefined();
  });

  it("does not let a page of the web client use or end an operator's session", async () => {
    const actor = await t.actors.signedInUser();
    const from = (path: string, origin: string) =>
      t.api
        .post(path)
        .set('Cookie', `refresh_token_panel=${actor.refreshToken}`)
        .set('X-Session', 'panel')
        .set('Origin', origin);
    const { frontendOrigin, baseUrl } = t.settings;
    expect(frontendOrigin).not.toBe(new URL(baseUrl).origin);
    expect((await from('/auth/refresh', frontendOrigin).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    expect((await from('/auth/logout', frontendOrigin).expect(200)).headers['set-cookie']).toBeUndefined();
    const logIn = t.api.post('/auth/login').set('X-Session', 'panel').set('Origin', frontendOrigin);
    expect(
      (await logIn.send({ email: actor.user.email, password: PASSWORD }).expect(200)).headers['set-cookie'],
    ).toBeUndefined();
    await from('/auth/refresh', new URL(baseUrl).origin).expect(200);
  });

  it('separates the sessions of a browser by the name in X-Session, which must be a short word', async () => {
    const [one, other] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
    const cookies = `refresh_token=${one.refreshToken}; refresh_token_panel=${other.refreshToken}`;
    const named = await t.api.post('/auth/refresh').set('Cookie', cookies).set('X-Session', 'panel').expect(200);
    expect(claimsOf(named.body.data.accessToken).sub).toBe(other.user.id);
    expect(named.headers['set-cookie']).toEqual([
      expect.stringMatching(/^refresh_token_panel=.+; Path=\/api\/v1\/auth; .*HttpOnly; SameSite=Strict/),
    ]);
    const { value: next } = parseSetCookie(named.headers['set-cookie'][0]);
    expect(named.body.data).not.toHaveProperty('refreshToken');
    const strange = await t.api.post('/auth/refresh').set('Cookie', cookies).set('X-Session', 'a;b=c').expect(200);
    expect(claimsOf(strange.body.data.accessToken).sub).toBe(one.user.id);
    expect(strange.headers['set-cookie']).toEqual([
      expect.stringMatching(/^refresh_token=/),
      expect.stringMatching(/^signed_in=/),
    ]);
    const out = await t.api
      .post('/auth/logout')
      .set('Cookie', `refresh_token_panel=${next}`)
      .set('X-Session', 'panel')
      .expect(200);
    expect(out.headers['set-cookie']).toEqual([expect.stringMatching(/^refresh_token_panel=;/)]);
    expect(await codeOf(next!.replace('hidden.', ''))).toBe('TOKEN_REUSE_DETECTED');
  });

  it('refuses a missing and an unknown token', async () => {
    const { body } = await t.api.post('/auth/refresh').expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { refreshToken: [expect.any(String)] } });
    expect(await codeOf('no-such-token')).toBe('INVALID_TOKEN');
    expect(await codeOf('x'.repeat(1000))).toBe('INVALID_TOKEN');
    await t.api.post('/auth/refresh').send({ refreshToken: 7 }).expect(400);
  });

  it('does not take the id of a token, which its access token shows, for the token', async () => {
    const actor = await t.actors.signedInUser();
    const forged = refreshTokenText(String(claimsOf(actor.accessToken).jti), newSecret());
    expect(forged).toHaveLength(actor.refreshToken.length);
    expect(await codeOf(forged)).toBe('INVALID_TOKEN');
    await t.api.post('/auth/logout').send({ refreshToken: forged }).expect(200);
    const next = (await refresh(actor.refreshToken).expect(200)).body.data.refreshToken;
    expect(await codeOf(forged)).toBe('INVALID_TOKEN');
    await refresh(next).expect(200);
  });

  it('does not take the token of an access token that was issued alone for a refresh token', async () => {
    const owner = await t.actors.owner();
    const { accessToken } = (
      await t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: owner.tenantId }).expect(200)
    ).body.data;
    expect(await codeOf(refreshTokenText(String(claimsOf(accessToken).jti), newSecret()))).toBe('INVALID_TOKEN');
  });

  describe('with a token of an earlier version, which contains no id', () => {
    const tokenOfEarlierVersion = async () => {
      const [actor, earlier] = [await t.actors.signedInUser(), newSecretToken()];
      const { jti } = claimsOf(actor.accessToken);
      const change = 'UPDATE refresh_tokens SET token_hash = $2, secret_hash = NULL WHERE id = $1';
      await t.database.query(change, [jti, digestOf(earlier)]);
      await t.database.query('UPDATE sessions SET current_token_id = NULL WHERE user_id = $1', [actor.user.id]);
      return { earlier, jti };
    };

    it('exchanges it once, of any number at the same time', async () => {
      const { earlier } = await tokenOfEarlierVersion();
      const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(earlier)));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(await codeOf(winners[0].body.data.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
    });

    it('detects its reuse after the exchange, and after one by the earlier version', async () => {
      const { earlier, jti } = await tokenOfEarlierVersion();
      const { refreshToken } = (await refresh(earlier).expect(200)).body.data;
      // an instance of the earlier version sees the exchange too
      const marked = 'SELECT FROM refresh_tokens WHERE id = $1 AND is_revoked';
      expect(await t.database.query(marked, [jti])).toHaveLength(1);
      const next = (await refresh(refreshToken).expect(200)).body.data.refreshToken;
      expect(await codeOf(earlier)).toBe('TOKEN_REUSE_DETECTED');
      expect(await codeOf(next)).toBe('TOKEN_REUSE_DETECTED');
      const spent = await tokenOfEarlierVersion();
      await t.database.query('UPDATE refresh_tokens SET is_revoked = true WHERE id = $1', [spent.jti]);
      expect(await codeOf(spent.earlier)).toBe('TOKEN_REUSE_DETECTED');
    });

    it('repeats the exchange with its key', async () => {
      const { earlier } = await tokenOfEarlierVersion();
      const repeated = () => refresh(earlier).set('Idempotency-Key', 'f'.repeat(32)).expect(200);
      const first = (await repeated()).body.data.refreshToken;
      expect((await repeated()).body.data.refreshToken).toBe(first);
      await refresh(first).expect(200);
    });

    it('signs out with it', async () => {
      const { earlier } = await tokenOfEarlierVersion();
      await t.api.post('/auth/logout').send({ refreshToken: earlier }).expect(200);
      expect(await codeOf(earlier)).toBe('TOKEN_REUSE_DETECTED');
    });
  });

  it('ends the session when a token is reused', async () => {
    const actor = await t.actors.signedInUser();
    const { body } = await refresh(actor.refreshToken).expect(200);
    expect(await codeOf(actor.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
    expect(await codeOf(body.data.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
    expect(await liveTokens(actor.user.id)).toEqual([]);
  });

  it('keeps the other sessions of the user when one ends by reuse', async () => {
    const actor = await t.actors.signedInUser();
    const second = await t.actors.signIn(actor.user.email);
    await refresh(actor.refreshToken).expect(200);
    expect(await codeOf(actor.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
    await refresh(second.refreshToken).expect(200);
  });

  it('succeeds for one of twenty simultaneous refreshes with one token, and then ends the session', async () => {
    for (let round = 0; round < 5; round++) {
      const actor = await t.actors.signedInUser();
      const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(actor.refreshToken)));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(responses.filter(({ body }) => body.error?.code === 'TOKEN_REUSE_DETECTED')).toHaveLength(19);
      expect(await codeOf(winners[0].body.data.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
      expect(await liveTokens(actor.user.id)).toEqual([]);
    }
  });

  it('leaves no live token after a simultaneous sign-out, whichever comes first', async () => {
    for (let round = 0; round < 20; round++) {
      const actor = await t.actors.signedInUser();
      const logOut = () => t.api.post('/auth/logout').send({ refreshToken: actor.refreshToken });
      const refreshFirst = round % 2 === 1;
      const responses = await Promise.all(
        refreshFirst ? [refresh(actor.refreshToken), logOut()] : [logOut(), refresh(actor.refreshToken)],
      );
      const [refreshed, loggedOut] = refreshFirst ? responses : responses.reverse();
      expect(loggedOut.status).toBe(200);
      if (refreshed.status !== 200)
        expect([refreshed.status, refreshed.body.error.code]).toEqual([401, 'TOKEN_REUSE_DETECTED']);
      expect(await liveTokens(actor.user.id)).toEqual([]);
    }
  });

  it('refuses an expired token, and reports reuse for a revoked one even if it has expired', async () => {
    const actor = await t.actors.signedInUser();
    const spent = await t.actors.signedInUser();
    await refresh(spent.refreshToken).expect(200);
    t.clock.advance(7 * DAY + 1);
    expect(await codeOf(actor.refreshToken)).toBe('TOKEN_EXPIRED');
    expect(await codeOf(spent.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
  });

  it('keeps a used session live beyond seven days', async () => {
    const actor = await t.actors.signedInUser();
    t.clock.advance(6 * DAY);
    const { body } = await refresh(actor.refreshToken).expect(200);
    t.clock.advance(6 * DAY);
    await refresh(body.data.refreshToken).expect(200);
  });

  it('ends a session 90 days after it started, and lets its last tokens expire with it', async () => {
    let actor = await t.actors.signedInUser();
    for (let day = 6; day < 90; day += 6) {
      t.clock.advance(6 * DAY);
      actor = await t.actors.refreshed(actor);
    }
    t.clock.advance(6 * DAY - 60);
    actor = await t.actors.refreshed(actor);
    t.clock.advance(60);
    expect(await codeOf(actor.refreshToken)).toBe('TOKEN_EXPIRED');
    const rows = await t.database.query<{ days: number }>(
      'SELECT extract(epoch FROM expires_at - created_at) / 86400 AS days FROM sessions WHERE user_id = $1',
      [actor.user.id],
    );
    expect(rows.map(({ days }) => Number(days))).toEqual([90]);
  });

  it('ends a session that exceeds the maximum age even if its token has not expired', async () => {
    const actor = await t.actors.signedInUser();
    await t.database.query(`UPDATE sessions SET created_at = created_at - interval '400 days' WHERE user_id = $1`, [
      actor.user.id,
    ]);
    expect(await codeOf(actor.refreshToken)).toBe('TOKEN_EXPIRED');
  });

  it('ignores a cookie that is sent twice, because it may be of another host', async () => {
    const [actor, attacker] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
    const both = `refresh_token=${attacker.refreshToken}; refresh_token=${actor.refreshToken}`;
    const { body } = await t.api.post('/auth/refresh').set('Cookie', both).expect(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    await t.api.post('/auth/logout').set('Cookie', both).expect(200);
    for (const { refreshToken } of [actor, attacker]) await refresh(refreshToken).expect(200);
  });

  it('sets the cookie attribute Secure only with COOKIE_SECURE', async () => {
    const secure = await TestApp.start({ beside: t, env: { COOKIE_SECURE: 'true' } });
    const actor = await t.actors.signedInUser();
    const cookiesOf = async (at: TestApp) =>
      (await at.api.post('/auth/login').send({ email: actor.user.email, password: PASSWORD }).expect(200)).headers[
        'set-cookie'
      ] as unknown as string[];
    for (const cookie of await cookiesOf(secure)) expect(cookie).toMatch(/; Secure(;|$)/);
    for (const cookie of await cookiesOf(t)) expect(cookie).not.toMatch(/Secure/);
    await secure.close();
  });

  it('refuses a disabled account', async () => {
    const actor = await t.actors.signedInUser();
    await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [actor.user.id]);
    expect(await codeOf(actor.refreshToken, 403)).toBe('ACCOUNT_DISABLED');
  });

  it('updates the claims of the user', async () => {
    const actor = await t.actors.signedInUser({ name: 'Ada' });
    await t.api.patch('/users/me').set(actor.bearer).send({ name: 'Countess' }).expect(200);
    expect(claimsOf(actor.accessToken).name).toBe('Ada');
    const { body } = await refresh(actor.refreshToken).expect(200);
    expect(claimsOf(body.data.accessToken).name).toBe('Countess');
  });

  it('does not let a session that is being opened survive a password reset', async () => {
    const { email } = await t.actors.user();
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    const token = await t.mailbox.token(email);
    const logIns = Array.from({ length: 8 }, () => t.api.post('/auth/login').send({ email, password: PASSWORD }));
    const [reset, ...responses] = await Promise.all([
      t.api.post('/auth/password/reset').send({ token, password: 'a wholly new one' }),
      ...logIns,
    ]);
    expect(reset.status).toBe(200);
    for (const { status, body } of responses) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await codeOf(body.data.refreshToken)).toBe('TOKEN_REUSE_DETECTED');
    }
  });
});
