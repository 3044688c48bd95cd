import { parseSetCookie } from 'cookie';
import { IdentityProvider } from '../../../dev/identity-provider';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser, fragmentOf } from '../../support/browser';

const WEB = { 'X-Session': 'web' };
const HIDDEN = /^hidden\.[\w-]{64}$/;
const SHOWN = /^[\w-]{64}$/;

describe('a refresh token that is only in the cookie', () => {
  const identityProvider = new IdentityProvider();
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ identityProvider });
  });
  afterAll(() => t.close());

  type Headers = Record<string, string>;
  type Answer = { headers: Headers; body: { data: object } };
  const setCookies = ({ headers }: Pick<Answer, 'headers'>) =>
    ((headers['set-cookie'] ?? []) as unknown as string[]).map((line) => parseSetCookie(line));
  const cookieOf = (response: Pick<Answer, 'headers'>, name = 'refresh_token') =>
    setCookies(response).find((cookie) => cookie.name === name)?.value;
  const fields = ({ body }: Answer) => Object.keys(body.data).sort();
  const logIn = async (headers: Headers, email?: string) => {
    const address = email ?? (await t.actors.user()).email;
    return t.api.post('/auth/login').set(headers).send({ email: address, password: PASSWORD }).expect(200);
  };
  const refresh = (cookie: string | undefined, headers: Headers = {}) =>
    t.api.post('/auth/refresh').set('Cookie', `refresh_token=${cookie}`).set(headers);

  it('is in no response to a client that sends X-Session, and can be used once', async () => {
    const signedIn = await logIn(WEB);
    expect(fields(signedIn)).toEqual(['accessToken', 'expiresIn', 'tokenType']);
    const first = cookieOf(signedIn);
    expect(first).toMatch(HIDDEN);
    const refreshed = await refresh(first, WEB).expect(200);
    expect(fields(refreshed)).toEqual(['accessToken', 'expiresIn', 'tokenType']);
    const second = cookieOf(refreshed);
    expect(second).toMatch(HIDDEN);
    expect(second).not.toBe(first);
    const out = await t.api.post('/auth/logout').set('Cookie', `refresh_token=${second}`).set(WEB).expect(200);
    expect(cookieOf(out)).toBe('');
    expect((await refresh(second, WEB).expect(401)).body.error.code).toBe('TOKEN_REUSE_DETECTED');
  });

  it('is not revealed to a script that omits X-Session or sends an empty token', async () => {
    let cookie = cookieOf(await logIn(WEB));
    for (const body of [undefined, {}, { refreshToken: null }]) {
      const response = await refresh(cookie).send(body).expect(200);
      expect(fields(response)).toEqual(['accessToken', 'expiresIn', 'tokenType']);
      expect((cookie = cookieOf(response))).toMatch(HIDDEN);
    }
    await refresh(cookie).send({ refreshToken: '' }).expect(400);
  });

  it('is in the response to a client without the header, also in a browser that uses the web client', async () => {
    const { email } = await t.actors.user();
    const web = await logIn(WEB, email);
    const browser = `web_session=${cookieOf(web, 'web_session')}; refresh_token=${cookieOf(web)}`;
    for (const headers of [{}, { Cookie: browser }, { 'X-Session': 'no;word' }]) {
      const { body, headers: received } = await logIn(headers as Headers, email);
      expect(body.data.refreshToken).toMatch(SHOWN);
      expect(cookieOf({ headers: received })).toBe(body.data.refreshToken);
      const next = await t.api
        .post('/auth/refresh')
        .set('Cookie', browser)
        .send({ refreshToken: body.data.refreshToken })
        .expect(200);
      expect(next.body.data.refreshToken).toMatch(SHOWN);
    }
  });

  it('is hidden from the first refresh with the header on', async () => {
    const { cookie } = { cookie: cookieOf(await logIn({})) };
    expect(cookie).toMatch(SHOWN);
    const refreshed = await refresh(cookie, WEB).expect(200);
    expect(refreshed.body.data.refreshToken).toBeUndefined();
    expect(cookieOf(refreshed)).toMatch(HIDDEN);
  });

  it('is never given to a page of a foreign origin that sends the header', async () => {
    const foreign = { ...WEB, Origin: 'https://evil.example' };
    const signedIn = await logIn(foreign);
    expect(setCookies(signedIn)).toEqual([]);
    expect(fields(signedIn)).toEqual(['accessToken', 'expiresIn', 'tokenType']);
    const cookie = cookieOf(await logIn({ ...WEB, Origin: t.settings.frontendOrigin }));
    expect(cookie).toMatch(HIDDEN);
    const refused = await refresh(cookie, foreign).expect(400);
    expect([refused.body.error.code, setCookies(refused)]).toEqual(['VALIDATION_ERROR', []]);
    await refresh(cookie, { ...WEB, Origin: t.settings.frontendOrigin }).expect(200);
  });

  it('is not in the fragment after a verification link if the web client registered in this browser', async () => {
    const email = 'links@example.com';
    const registered = await t.api
      .post('/auth/register')
      .set(WEB)
      .send({ email, password: PASSWORD, name: 'Ada' })
      .expect(201);
    expect(setCookies(registered)).toContainEqual(
      expect.objectContaining({
        name: 'web_session',
        path: '/api/v1/auth',
        httpOnly: true,
        sameSite: 'lax',
        maxAge: 7 * 86_400,
      }),
    );
    const verify = t.api
      .get('/auth/verify-email')
      .query({ token: await t.mailbox.token(email) })
      .set('Accept', 'text/html')
      .set('Cookie', `web_session=${cookieOf(registered, 'web_session')}`)
      .redirects(0);
    const response = await verify.expect(302);
    expect(Object.keys(fragmentOf(response.headers.location))).toEqual(['accessToken', 'expiresIn']);
    await refresh(cookieOf(response), WEB).expect(200);
  });

  it('is not in the fragment after a magic link in the browser of the web client, but in others', async () => {
    const { email } = await t.actors.user();
    const asked = await t.api.post('/auth/magic-link/request').set(WEB).send({ email }).expect(200);
    const open = (token: string, cookie: string) =>
      t.api.get('/auth/magic-link/verify').query({ token }).set('Cookie', cookie).redirects(0);
    const here = await open(await t.mailbox.token(email), `web_session=${cookieOf(asked, 'web_session')}`).expect(302);
    expect(Object.keys(fragmentOf(here.headers.location))).toEqual(['accessToken', 'expiresIn']);
    expect(cookieOf(here)).toMatch(HIDDEN);
    const other = await t.actors.user();
    await t.api.post('/auth/magic-link/request').send({ email: other.email }).expect(200);
    const elsewhere = await open(await t.mailbox.token(other.email), '').expect(302);
    expect(fragmentOf(elsewhere.headers.location).refreshToken).toBe(cookieOf(elsewhere));
    await refresh(cookieOf(elsewhere), WEB).expect(200);
  });

  it.each(['google', 'github'] as const)(
    'is not in the fragment after a sign-in by %s that started with ?session=web',
    async (provider) => {
      const account = {
        id: `7${provider.length}`,
        name: 'Grace',
        email: `${provider}@example.com`,
        isEmailVerified: true,
        pictureUrl: null,
      };
      const browser = new Browser(t);
      const { headers } = await browser.open(`/auth/${provider}?session=web`);
      const fragment = await browser.comeBack(await identityProvider.pick(headers.location, account as never));
      expect(Object.keys(fragment)).toEqual(['accessToken', 'expiresIn']);
      expect(browser.cookie('refresh_token')).toMatch(HIDDEN);
      await refresh(browser.cookie('refresh_token'), WEB).expect(200);
      expect(Object.keys(await new Browser(t).signIn(provider, account as never))).toEqual([
        'accessToken',
        'refreshToken',
        'expiresIn',
      ]);
    },
  );
});
