import { parseSetCookie } from 'cookie';
import { createClient, unwrap, type Client, type Schemas } from '../../client/src/index';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';
import { AuthenticatorApp } from '../support/authenticator-app';

describe('a sign-in with the typed client that needs a second factor', () => {
  let t: TestApp;
  let ada: Member;
  let authenticator: AuthenticatorApp;
  let stored: (string | null)[];
  let sent: string[];
  beforeAll(async () => {
    t = await TestApp.start();
    ada = await t.actors.owner();
    authenticator = await AuthenticatorApp.enrol(t, ada);
  });
  afterAll(() => t.close());
  beforeEach(() => {
    stored = [];
    sent = [];
  });

  const recordingFetch: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    sent.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`);
    return fetch(request);
  };
  const onRefreshToken = (token: string | null) => {
    stored.push(token);
  };
  const clientOf = (): Client =>
    createClient({ baseUrl: t.address, session: { keep: 'token', onRefreshToken }, fetch: recordingFetch });
  const logIn = (api: Client, email = ada.user.email) =>
    api.POST('/auth/login', { body: { email, password: PASSWORD } });
  const ticketFor = async (api: Client): Promise<Schemas['TicketView']> => {
    const signIn = unwrap(await logIn(api));
    if (!('secondFactor' in signIn)) throw new Error('signed in without a second factor');
    return signIn.secondFactor;
  };

  it('stores no tokens until the second factor is proven, and then those of its response', async () => {
    const api = clientOf();
    const { ticket, methods, expiresIn } = await ticketFor(api);
    expect([methods, expiresIn]).toEqual([['totp', 'recovery-code'], 300]);
    expect(api.session.claims()).toBeNull();
    expect(api.session.mayBeSignedIn()).toBe(false);
    expect(stored).toEqual([]);
    unwrap(await api.POST('/auth/second-factor', { body: { ticket, code: authenticator.nextCode() } }));
    expect(api.session.claims()).toMatchObject({ sub: ada.user.id, tenant_id: ada.tenantId });
    expect(stored).toEqual([expect.any(String)]);
    expect((await api.session.renew()).kind).toBe('renewed');
    expect((await api.GET('/auth/me')).ok).toBe(true);
  });

  it('accepts a recovery code in place of the code', async () => {
    const api = clientOf();
    const [recoveryCode] = authenticator.recoveryCodes;
    const { ticket } = await ticketFor(api);
    unwrap(await api.POST('/auth/second-factor', { body: { ticket, recoveryCode } }));
    expect(api.session.claims()?.sub).toBe(ada.user.id);
  });

  it('keeps the session of another user until then', async () => {
    const other = await t.actors.owner();
    const api = clientOf();
    unwrap(await logIn(api, other.user.email));
    const { ticket } = await ticketFor(api);
    expect(api.session.claims()?.sub).toBe(other.user.id);
    expect((await api.GET('/auth/me')).ok).toBe(true);
    unwrap(await api.POST('/auth/second-factor', { body: { ticket, code: authenticator.nextCode() } }));
    expect(api.session.claims()?.sub).toBe(ada.user.id);
  });

  it('returns a wrong code and an unknown ticket as errors, and refreshes nothing', async () => {
    const other = await t.actors.owner();
    const api = clientOf();
    unwrap(await logIn(api, other.user.email));
    const { ticket } = await ticketFor(api);
    sent = [];
    const wrong = await api.POST('/auth/second-factor', { body: { ticket, code: '000000' } });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'SECOND_FACTOR_INVALID', status: 401 } });
    const unknown = await api.POST('/auth/second-factor', { body: { ticket: 'unknown', code: '000000' } });
    expect(unknown).toMatchObject({ ok: false, error: { code: 'TICKET_INVALID', status: 401 } });
    expect(sent).toEqual(['POST /auth/second-factor', 'POST /auth/second-factor']);
    expect(api.session.claims()?.sub).toBe(other.user.id);
  });

  it('is signed in at once in a browser that is trusted', async () => {
    const cookies = new Map<string, string>();
    const browser: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      request.headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(request);
      for (const { name, value } of response.headers.getSetCookie().map((line) => parseSetCookie(line)))
        cookies.set(name, value!);
      return response;
    };
    const api = createClient({ baseUrl: t.address, session: { keep: 'cookie' }, fetch: browser });
    const { ticket } = await ticketFor(api);
    const body = { ticket, code: authenticator.nextCode(), trustBrowser: true };
    expect(unwrap(await api.POST('/auth/second-factor', { body }))).not.toHaveProperty('refreshToken');
    await api.logOut();
    expect(api.session.claims()).toBeNull();
    expect(unwrap(await logIn(api))).toHaveProperty('accessToken');
    expect(api.session.claims()?.sub).toBe(ada.user.id);
    api.session.close();
  });
});
