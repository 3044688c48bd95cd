import { MINUTE } from '../../../src/platform/clock';
import { bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';

describe('the code of a sign-in link', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const cookieIn = (headers: Record<string, unknown>, name: string) =>
    (headers['set-cookie'] as string[]).find((cookie) => cookie.startsWith(`${name}=`))!.split(';')[0];
  /** Asks for a link. @returns the cookie of the browser, and what the email says */
  const ask = async (email: string, nth = 1, cookie = '') => {
    const request = t.api.post('/auth/magic-link/request').set('Cookie', cookie).send({ email });
    const { headers } = await request.expect(200);
    const links = () => t.mailbox.to(email).filter(({ subject }) => subject === 'Your sign-in link');
    const { text } = await eventually(() => links().at(nth - 1), `link ${nth} to ${email}`);
    return {
      browser: cookieIn(headers, 'link_request'),
      code: /\n(\d{6})\n/.exec(text)![1],
      token: /token=([\w-]+)/.exec(text)![1],
    };
  };
  const enter = (email: string, code: string, browser = '', at = t) =>
    at.api.post('/auth/magic-link/code').set('Cookie', browser).send({ email, code });
  const wrong = (code: string) => (code === '000000' ? '111111' : '000000');

  it('signs in the browser that asked, once, and uses the link up', async () => {
    const { email } = await t.actors.user();
    const { browser, code, token } = await ask(email);
    const { body, headers } = await enter(email.toUpperCase(), code, browser).expect(200);
    expect(cookieIn(headers, 'refresh_token')).toContain(body.data.refreshToken);
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data.user.email).toBe(email);
    expect(codeOf(await enter(email, code, browser).expect(401))).toBe('EMAIL_CODE_INVALID');
    expect(codeOf(await t.api.post('/auth/magic-link/verify').send({ token }).expect(400))).toBe('MAGIC_LINK_INVALID');
  });

  it('is refused in another browser, for another address, and for one without an account alike', async () => {
    const [{ email }, someone] = [await t.actors.user(), await t.actors.user()];
    const { browser, code } = await ask(email);
    const stranger = await ask(someone.email);
    const refused = [
      await enter(email, code),
      await enter(email, code, stranger.browser),
      await enter(someone.email, code, browser),
      await enter('nobody@example.com', code, browser),
      await enter(email, code, `${browser.slice(0, -1)}x`),
    ];
    expect(refused.map((response) => [response.status, codeOf(response)])).toEqual(
      refused.map(() => [401, 'EMAIL_CODE_INVALID']),
    );
    expect(codeOf(await enter(email, '12345', browser).expect(400))).toBe('VALIDATION_ERROR');
    await enter(email, code, browser).expect(200); // guesses of strangers used no attempt
  });

  it('count as failed sign-ins when they are wrong, for every address', async () => {
    const other = await TestApp.start({ beside: t, env: { LOGIN_MAX_FAILURES: '3' } });
    const { email, id } = await t.actors.user();
    for (const address of [email, 'nobody@example.com']) {
      const attempt = () => other.api.post('/auth/magic-link/code').send({ email: address, code: '123456' });
      for (let i = 0; i < 3; i++) await attempt().expect(401);
      const refused = await attempt().expect(429);
      expect(codeOf(refused)).toBe('TOO_MANY_ATTEMPTS');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    await other.close(); // which writes what it has counted
    const action = 'user.sign-in-failed';
    expect(
      await t.database.query('SELECT FROM audit_log WHERE action = $1 AND target_id = $2', [action, id]),
    ).toHaveLength(1);
  });

  it('can be tried five times, after which the link still works', async () => {
    const { email } = await t.actors.user();
    const { browser, code, token } = await ask(email);
    for (let i = 0; i < 5; i++) await enter(email, wrong(code), browser).expect(401);
    expect(codeOf(await enter(email, code, browser).expect(401))).toBe('EMAIL_CODE_INVALID');
    await t.api.post('/auth/magic-link/verify').send({ token }).expect(200);
  });

  it('works beside the codes of later links of the same browser, until it expires', async () => {
    const { email } = await t.actors.user();
    const first = await ask(email);
    const second = await ask(email, 2, first.browser);
    await enter(email, first.code, second.browser).expect(200);
    expect(codeOf(await enter(email, second.code, second.browser).expect(401))).toBe('EMAIL_CODE_INVALID');
    const third = await ask(email, 3);
    t.clock.advance(10 * MINUTE + 1);
    expect(codeOf(await enter(email, third.code, third.browser).expect(401))).toBe('EMAIL_CODE_INVALID');
  });

  it.each([
    ['a verified account', { isEmailVerified: true }],
    ['an unverified account', { isEmailVerified: false, emailVerifiedAt: null }],
  ])('of %s outlives its link, which a program has opened, for one use in ten minutes', async (_which, wanted) => {
    const { email } = await t.actors.user(wanted);
    const { browser, code, token } = await ask(email);
    const open = () => t.api.get('/auth/magic-link/verify').query({ token }).redirects(0);
    await open().set('Accept', 'text/html').expect(302);
    expect((await open().set('Accept', 'text/html')).headers.location).toContain('error=MAGIC_LINK_INVALID');
    await enter(email, code).expect(401);
    for (let i = 0; i < 4; i++) await enter(email, wrong(code), browser).expect(401);
    const uses = await Promise.all([enter(email, code, browser), enter(email, code, browser)]);
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('outlives its link for ten minutes, and not the end of all sessions', async () => {
    const actor = await t.actors.signedInUser();
    const { email } = actor.user;
    const used = async (nth: number) => {
      const asked = await ask(email, nth);
      await t.api.post('/auth/magic-link/verify').send({ token: asked.token }).expect(200);
      return asked;
    };
    const first = await used(1);
    await t.api.delete('/auth/sessions').set(actor.bearer).expect(200);
    await enter(email, first.code, first.browser).expect(401);
    const second = await used(2);
    t.clock.advance(10 * MINUTE + 1);
    await enter(email, second.code, second.browser).expect(401);
  });

  it('is used up by its link in the browser that asked', async () => {
    const { email } = await t.actors.user();
    const { browser, code, token } = await ask(email);
    await t.api.post('/auth/magic-link/verify').set('Cookie', browser).send({ token }).expect(200);
    expect(codeOf(await enter(email, code, browser).expect(401))).toBe('EMAIL_CODE_INVALID');
  });

  it('succeeds once of 50 simultaneous uses on two instances', async () => {
    const { email } = await t.actors.user();
    const { browser, code } = await ask(email);
    const uses = Array.from({ length: 50 }, (_, i) => enter(email, code, browser, i % 2 ? t : other));
    const statuses = (await Promise.all(uses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true); // 429: guessing is limited
  });

  it('verifies the address like the link, and neither it nor the browser is in the queue or the database', async () => {
    const { email } = await t.actors.user({ isEmailVerified: false, emailVerifiedAt: null });
    const jobs: string[] = [];
    const { browser, code } = await ask(email);
    const tables = ['one_time_tokens', 'graphile_worker._private_jobs', 'email_codes'];
    for (const table of tables) jobs.push(JSON.stringify(await t.database.query(`SELECT t::text FROM ${table} t`, [])));
    for (const secret of [code, browser.split('=')[1].split('.')[1]]) expect(jobs.join()).not.toContain(`"${secret}"`);
    const { body } = await enter(email, code, browser).expect(200);
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data.user.isEmailVerified).toBe(true);
    await untilNoJobIsLeft(t);
  });
});
