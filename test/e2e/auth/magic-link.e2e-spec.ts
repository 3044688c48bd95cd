import { CommandBus } from '@nestjs/cqrs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { bearer, PASSWORD } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { eventually } from '../../support/eventually';
import { TestApp } from '../../support/app';
import { fragmentOf } from '../../support/browser';

describe('magic links', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'trace' } });
  });
  afterAll(() => t.close());

  const request = (email: string) => t.api.post('/auth/magic-link/request').send({ email });
  const verify = (token: string) => t.api.get('/auth/magic-link/verify').query({ token }).redirects(0);
  /** Requests a link, and returns its token. */
  const mailed = async (email: string, count = 1) => {
    await request(email).expect(200);
    return t.mailbox.token(email, count);
  };

  it('sign a user in without a password, once', async () => {
    const { email } = await t.actors.user();
    await request(email.toUpperCase()).expect(200);
    const token = await t.mailbox.token(email);
    const mail = await t.mailbox.last(email);
    expect([mail.subject, mail.text]).toEqual([
      'Your sign-in link',
      expect.stringContaining('http://localhost:3000/api/v1/auth/magic-link/verify?token='),
    ]);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { headers } = await verify(token).expect(302);
    expect(headers.location).toMatch(
      /^http:\/\/localhost:5173#accessToken=[\w.-]+&refreshToken=[\w-]{64}&expiresIn=900$/,
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
    const fragment = fragmentOf(headers.location);
    expect(headers['set-cookie'][0]).toContain(`refresh_token=${fragment.refreshToken}`);
    const me = await t.api.get('/auth/me').set(bearer(fragment.accessToken)).expect(200);
    expect(me.body.data.user.email).toBe(email);
    expect(codeOf(await verify(token).expect(400))).toBe('MAGIC_LINK_INVALID');
  });

  it('are requested with the same response for every address, but sent to accounts only', async () => {
    const { email } = await t.actors.user();
    const disabled = await t.actors.user({ disabledAt: new Date() });
    for (const address of ['nobody@example.com', disabled.email, email]) {
      expect((await request(address).expect(200)).body).toEqual({ success: true, data: null });
    }
    await t.mailbox.last(email); // requested last, so the others would have arrived
    expect([t.mailbox.to('nobody@example.com'), t.mailbox.to(disabled.email)]).toEqual([[], []]);
    expect(codeOf(await request('nobody').expect(400))).toBe('VALIDATION_ERROR');
  });

  it('report failures to a browser in the fragment, and to other clients in the body', async () => {
    const navigate = (token: string) => verify(token).set('Accept', 'text/html');
    expect((await navigate('unknown').expect(302)).headers.location).toBe(
      'http://localhost:5173#error=MAGIC_LINK_INVALID',
    );
    expect(codeOf(await verify('unknown').expect(400))).toBe('MAGIC_LINK_INVALID');
    expect(codeOf(await verify('').expect(400))).toBe('VALIDATION_ERROR');
    const token = await mailed((await t.actors.user()).email);
    expect(fragmentOf((await navigate(token).expect(302)).headers.location)).toHaveProperty('accessToken');
  });

  it('succeed for one of several simultaneous uses', async () => {
    const token = await mailed((await t.actors.user()).email);
    const responses = await Promise.all([1, 2, 3, 4].map(() => verify(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400]);
  });

  it('are valid for ten minutes', async () => {
    const token = await mailed((await t.actors.user()).email);
    t.clock.advance(10 * MINUTE - 30);
    await verify(token).expect(302);
  });

  it('are reported as expired for 30 days', async () => {
    const { email } = await t.actors.user();
    const old = await mailed(email);
    t.clock.advance(10 * MINUTE + 1);
    expect(codeOf(await verify(old).expect(400))).toBe('MAGIC_LINK_EXPIRED');
    await verify(await mailed(email, 2)).expect(302);
    t.clock.advance(29 * DAY);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    expect(codeOf(await verify(old).expect(400))).toBe('MAGIC_LINK_EXPIRED');
    t.clock.advance(DAY);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    expect(codeOf(await verify(old).expect(400))).toBe('MAGIC_LINK_INVALID');
  });

  it('are not consumed by prefetching', async () => {
    const token = await mailed((await t.actors.user()).email);
    await t.api.head('/auth/magic-link/verify').query({ token }).expect(204);
    await verify(token).set('Sec-Purpose', 'prefetch;prerender').expect(204);
    await verify(token).set('Purpose', 'prefetch').expect(204);
    for (const [mode, destination] of [
      ['no-cors', 'image'],
      ['cors', 'empty'],
      ['no-cors', 'script'],
      ['navigate', 'iframe'],
    ]) {
      const { headers } = await verify(token)
        .set({ 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': destination, Accept: 'text/html' })
        .expect(204);
      expect(headers['set-cookie']).toBeUndefined();
    }
    await verify(token).set('Sec-Fetch-Mode', 'no-cors').expect(204);
    await verify(token).set({ 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }).expect(302);
  });

  it('sign in a client that uses the fetch of Node, which sends only Sec-Fetch-Mode', async () => {
    const token = await mailed((await t.actors.user()).email);
    const response = await fetch(`${t.address}/api/v1/auth/magic-link/verify?token=${token}`, { redirect: 'manual' });
    expect(response.headers.get('Location')).toContain('#accessToken=');
  });

  it('cannot be used for another purpose, nor other tokens for sign-in', async () => {
    const { email } = await t.actors.user();
    const token = await mailed(email);
    expect(codeOf(await t.api.get('/auth/verify-email').query({ token }).expect(400))).toBe(
      'VERIFICATION_TOKEN_INVALID',
    );
    expect(codeOf(await t.api.post('/auth/password/reset').send({ token, password: PASSWORD }).expect(400))).toBe(
      'RESET_TOKEN_INVALID',
    );
    await t.api.post('/auth/password/forgot').send({ email }).expect(200);
    expect(codeOf(await verify(await t.mailbox.token(email, 2)).expect(400))).toBe('MAGIC_LINK_INVALID');
    await verify(token).expect(302);
  });

  it('verify an unverified account, remove its unproven password, name and sessions, and email its owner', async () => {
    const email = 'claimed@example.com';
    await t.api.post('/auth/register').send({ email, password: PASSWORD, name: 'Mallory' }).expect(201);
    await t.mailbox.last(email);
    const { headers } = await verify(await mailed(email, 2)).expect(302);
    const me = await t.api
      .get('/auth/me')
      .set(bearer(fragmentOf(headers.location).accessToken))
      .expect(200);
    expect(me.body.data.user).toMatchObject({ email, name: 'claimed', isEmailVerified: true });
    await eventually(
      async () => (await t.database.query('SELECT FROM tenants WHERE name = $1', ["claimed's workspace"]))[0],
      'the workspace to be renamed',
    );
    expect(codeOf(await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(401))).toBe(
      'INVALID_CREDENTIALS',
    );
    await t.mailbox.titled(email, 'Your password was removed');
  });

  it('keep the password and the sessions of a verified account', async () => {
    const actor = await t.actors.signedInUser();
    await verify(await mailed(actor.user.email)).expect(302);
    await t.actors.signIn(actor.user.email);
    await t.actors.refreshed(actor);
    const subjects = t.mailbox.to(actor.user.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject !== 'New sign-in to your account')).toEqual(['Your sign-in link']);
  });

  it('do not sign in to a disabled account, and are not consumed by the attempt', async () => {
    const { id, email } = await t.actors.user({ isEmailVerified: false });
    const token = await mailed(email);
    await t.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [id]);
    expect(codeOf(await verify(token).expect(403))).toBe('ACCOUNT_DISABLED');
    expect((await verify(token).set('Accept', 'text/html').expect(302)).headers.location).toBe(
      'http://localhost:5173#error=ACCOUNT_DISABLED',
    );
    const [user] = await t.database.query(
      'SELECT is_email_verified, password_hash IS NULL AS without FROM users WHERE id = $1',
      [id],
    );
    expect(user).toEqual({ is_email_verified: false, without: false });
    await t.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [id]);
    await verify(token).expect(302);
  });

  it('do not appear in the queue, the database or the log', async () => {
    const token = await mailed((await t.actors.user()).email);
    await verify(token).expect(302);
    const [{ dump }] = await t.database.query<{ dump: string }>(
      `SELECT (SELECT json_agg(o) FROM one_time_tokens o)::text || (SELECT json_agg(a) FROM audit_log a)::text
           || coalesce((SELECT json_agg(j) FROM graphile_worker._private_jobs j)::text, '') AS dump`,
    );
    const log = t.logLines.join('');
    expect(log).toContain('/api/v1/auth/magic-link/verify');
    expect(dump + log).not.toContain(token);
  });
});
