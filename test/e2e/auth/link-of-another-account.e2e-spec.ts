import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { DAY } from '../../../src/platform/clock';
import { claimsOf, PASSWORD } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { fragmentOf } from '../../support/browser';

const LINKS = {
  'magic-link': {
    path: '/auth/magic-link/verify',
    page: 'http://localhost:5173/sign-in',
    invalid: 'MAGIC_LINK_INVALID',
  },
  verification: {
    path: '/auth/verify-email',
    page: 'http://localhost:5173/verify-email',
    invalid: 'VERIFICATION_TOKEN_INVALID',
  },
} as const;
type Purpose = keyof typeof LINKS;
const PURPOSES = Object.keys(LINKS) as Purpose[];

const cookiesIn = ({ headers }: { headers: Record<string, unknown> }) => (headers['set-cookie'] ?? []) as string[];
const signedInOf = (response: { headers: Record<string, unknown> }) =>
  cookiesIn(response).find((line) => line.startsWith('signed_in='));
/** The content of the cookie, without checking the signature. */
const accountIn = (line: string | undefined) =>
  (JSON.parse(Buffer.from(line!.split('.')[1], 'base64url').toString()) as { account: string }).account;
const pairOf = (line: string | undefined) => line!.split(';')[0];

/** An attacker sends a link of their own account to a user who is signed in. */
describe('a mailed link of another account', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const logIn = (email: string) => t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
  /** The cookie of a signed-in user that the browser sends with a link from another site. */
  const signedIn = async (email: string) => pairOf(signedInOf(await logIn(email)));
  /** Opens a link in a browser. */
  const open = (purpose: Purpose, token: string, cookie = '') =>
    t.api.get(LINKS[purpose].path).query({ token }).set({ Cookie: cookie, Accept: 'text/html' }).redirects(0);

  describe.each(PURPOSES)('of the purpose %s', (purpose) => {
    const { page, invalid, path } = LINKS[purpose];
    const attackers = async () => {
      const { id, email } = await t.actors.user({ isEmailVerified: purpose !== 'verification' });
      return { email, token: await t.nest.get(OneTimeTokenRepository).issue(id, purpose) };
    };

    it('leads to the confirmation page, replaces no session and is not consumed', async () => {
      const [victim, { email, token }] = [await t.actors.user(), await attackers()];
      const response = await open(purpose, token, await signedIn(victim.email)).expect(302);
      expect(response.headers.location).toBe(`${page}#token=${token}`);
      expect(response.headers['referrer-policy']).toBe('no-referrer');
      expect(cookiesIn(response)).toEqual([]);
      const { body } = await t.api.post(path).send({ token }).expect(200); // the user confirmed
      expect(claimsOf(body.data.accessToken).email).toBe(email);
    });

    it('signs in if no user is signed in, or the session has expired', async () => {
      const victim = await t.actors.user();
      const cookie = await signedIn(victim.email);
      const doubled = `${cookie}; ${cookie}`;
      for (const held of ['', 'signed_in=nonsense', doubled]) {
        const { headers } = await open(purpose, (await attackers()).token, held).expect(302);
        expect(fragmentOf(headers.location)).toHaveProperty('accessToken');
      }
      t.clock.advance(7 * DAY + 1);
      const { headers } = await open(purpose, (await attackers()).token, cookie).expect(302);
      expect(fragmentOf(headers.location)).toHaveProperty('accessToken');
    });

    it('is reported as invalid if it is invalid', async () => {
      const victim = await t.actors.user();
      const { headers } = await open(purpose, 'unknown', await signedIn(victim.email)).expect(302);
      expect(fragmentOf(headers.location)).toEqual({ error: invalid });
    });

    it('is not consumed by a page that fetches it', async () => {
      const { token } = await attackers();
      await open(purpose, token).set({ 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }).expect(204);
      await open(purpose, token).set({ 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }).expect(302);
      expect(codeOf(await t.api.get(path).query({ token }).expect(400))).toBe(invalid);
    });
  });

  it('signs in if it belongs to the signed-in user', async () => {
    const { id, email } = await t.actors.user();
    const token = await t.nest.get(OneTimeTokenRepository).issue(id, 'magic-link');
    const { headers } = await open('magic-link', token, await signedIn(email)).expect(302);
    expect(claimsOf(fragmentOf(headers.location).accessToken).sub).toBe(id);
  });

  it('is detected by a cookie that is set and cleared with the session cookie', async () => {
    const { email } = await t.actors.user();
    const first = await logIn(email);
    expect(signedInOf(first)).toMatch(
      /^signed_in=[\w.-]+; Max-Age=604800; Path=\/api\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const session = pairOf(cookiesIn(first)[0]);
    const refreshed = await t.api.post('/auth/refresh').set('Cookie', session).expect(200);
    expect(accountIn(signedInOf(refreshed))).toBe(accountIn(signedInOf(first)));
    const { refreshToken } = refreshed.body.data as { refreshToken: string };
    const left = await t.api.post('/auth/logout').send({ refreshToken }).expect(200);
    expect(signedInOf(left)).toMatch(/^signed_in=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970/);
  });

  it('is not marked for a client that refreshes without any cookie, which keeps none', async () => {
    const { email } = await t.actors.user();
    const { refreshToken } = (await logIn(email)).body.data as { refreshToken: string };
    const refreshed = await t.api.post('/auth/refresh').send({ refreshToken }).expect(200);
    expect(cookiesIn(refreshed)).toEqual([expect.stringMatching(/^refresh_token=/)]);
  });
});

describe('a mailed link to the API after MAIL_LINKS=confirm was set', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { MAIL_LINKS: 'confirm' } });
  });
  afterAll(() => t.close());

  it.each(PURPOSES)('leads a browser to the confirmation page: %s', async (purpose) => {
    const { page, path } = LINKS[purpose];
    const { id } = await t.actors.user({ isEmailVerified: purpose !== 'verification' });
    const token = await t.nest.get(OneTimeTokenRepository).issue(id, purpose);
    const { headers } = await t.api.get(path).query({ token }).set('Accept', 'text/html').redirects(0).expect(302);
    expect(headers.location).toBe(`${page}#token=${token}`);
    await t.api.post(path).send({ token, password: PASSWORD }).expect(200);
  });
});
