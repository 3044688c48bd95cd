import { createHash, randomBytes } from 'node:crypto';
import { IdentityProvider, type ProviderAccount, type ProviderName } from './identity-provider';

const REDIRECT_URI = 'http://localhost:3000/api/v1/auth/google/callback';
const EVERYTHING_BUT_DATE = [
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'performance',
] as const;
const STATE = 'a state with/odd+characters=&';

describe('The stand-in identity provider', () => {
  const provider = new IdentityProvider();
  const verifier = randomBytes(32).toString('base64url');
  beforeAll(() => provider.start());
  afterAll(() => provider.stop());

  const settingOf = (name: ProviderName, what: string) => provider.settings[`${name.toUpperCase()}_${what}`];

  function authorizationUrl(name: ProviderName, changes: Record<string, string | undefined> = {}): string {
    const query = {
      response_type: 'code',
      client_id: settingOf(name, 'CLIENT_ID'),
      redirect_uri: REDIRECT_URI,
      state: STATE,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${settingOf(name, 'AUTHORIZATION_URL')}?${new URLSearchParams(given).toString()}`;
  }

  const submit = (address: string, fields: Record<string, string>) =>
    fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

  async function codeFor(name: ProviderName, account: ProviderAccount = provider.accounts[name][0]): Promise<string> {
    return new URL(await provider.pick(authorizationUrl(name), account)).searchParams.get('code')!;
  }

  function exchange(
    name: ProviderName,
    code: string,
    changes: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: settingOf(name, 'CLIENT_ID'),
      client_secret: settingOf(name, 'CLIENT_SECRET'),
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...changes,
    });
    return fetch(settingOf(name, 'TOKEN_URL'), { method: 'POST', body, headers });
  }

  const jsonOf = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, string>;

  async function refusalOf(answer: Promise<Response>): Promise<unknown[]> {
    return [(await answer).status, (await jsonOf(answer)).error];
  }

  const ask = (address: string, token: string): Promise<unknown> =>
    jsonOf(fetch(address, { headers: { Authorization: `Bearer ${token}` } }));

  it('returns the profile of the chosen account in the format of Google', async () => {
    const address = authorizationUrl('google');
    const [ada] = provider.accounts.google;
    expect(await (await fetch(address)).text()).toContain(`value="${ada.id}"`);
    const answer = await submit(address, { account: ada.id });
    const sentTo = new URL(answer.headers.get('location')!);
    expect([answer.status, sentTo.origin + sentTo.pathname, sentTo.searchParams.get('state')]).toEqual([
      303,
      REDIRECT_URI,
      STATE,
    ]);
    const { access_token: token } = await jsonOf(exchange('google', sentTo.searchParams.get('code')!));
    const profile = { sub: ada.id, name: 'Alma Admin', email: 'admin@example.com', email_verified: true };
    expect(await ask(settingOf('google', 'PROFILE_URL'), token)).toEqual(profile);
    expect(await jsonOf(fetch(`${settingOf('google', 'PROFILE_URL')}?access_token=${token}`))).toMatchObject({
      error: 'invalid_request',
    });
  });

  it('returns the profile in the format of GitHub', async () => {
    const unverified = provider.accounts.github[2];
    const answer = await exchange('github', await codeFor('github', unverified));
    expect(answer.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
    const token = new URLSearchParams(await answer.text()).get('access_token')!;
    const profile = { id: Number(unverified.id), login: 'nobody-verified', name: 'Nobody Verified', email: null };
    expect(await ask(settingOf('github', 'PROFILE_URL'), token)).toEqual(profile);
    expect(await ask(settingOf('github', 'EMAILS_URL'), token)).toEqual([
      { email: 'nobody@example.com', primary: true, verified: false, visibility: 'private' },
      { email: `${unverified.id}@users.noreply.github.example`, primary: false, verified: true, visibility: null },
    ]);
    const json = { accept: 'application/json' };
    expect(await jsonOf(exchange('github', await codeFor('github'), {}, json))).toMatchObject({ token_type: 'Bearer' });
    expect(await refusalOf(exchange('github', 'no-code', {}, json))).toEqual([200, 'invalid_grant']);
  });

  it('returns no email for an account without one', async () => {
    const nameless = { id: '7', name: 'No Mail', email: null, isEmailVerified: false };
    const google = await jsonOf(exchange('google', await codeFor('google', nameless)));
    expect(await ask(settingOf('google', 'PROFILE_URL'), google.access_token)).toEqual({ sub: '7', name: 'No Mail' });
    const github = new URLSearchParams(await (await exchange('github', await codeFor('github', nameless))).text());
    expect(await ask(settingOf('github', 'EMAILS_URL'), github.get('access_token')!)).toEqual([]);
  });

  it('rejects a verifier that does not match the challenge', async () => {
    const wrong = { code_verifier: randomBytes(32).toString('base64url') };
    expect(await refusalOf(exchange('google', await codeFor('google'), wrong))).toEqual([400, 'invalid_grant']);
    expect(await refusalOf(exchange('google', await codeFor('google'), { code_verifier: '' }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('rejects a code that was used', async () => {
    const code = await codeFor('google');
    expect((await exchange('google', code)).status).toBe(200);
    expect(await refusalOf(exchange('google', code))).toEqual([400, 'invalid_grant']);
  });

  it('rejects a code of the other provider', async () => {
    expect(await refusalOf(exchange('google', await codeFor('github')))).toEqual([400, 'invalid_grant']);
  });

  it('rejects a code after one minute', async () => {
    const code = await codeFor('google');
    jest.useFakeTimers({ now: Date.now() + 61_000, doNotFake: [...EVERYTHING_BUT_DATE] });
    const refusal = await refusalOf(exchange('google', code)).finally(() => jest.useRealTimers());
    expect(refusal).toEqual([400, 'invalid_grant']);
  });

  it('rejects a client with a wrong secret or without one', async () => {
    expect(await refusalOf(exchange('google', await codeFor('google'), { client_secret: 'wrong' }))).toEqual([
      400,
      'invalid_client',
    ]);
    expect(await refusalOf(exchange('google', await codeFor('google'), { client_secret: '' }))).toEqual([
      400,
      'invalid_client',
    ]);
  });

  it('rejects a token request with another redirect_uri', async () => {
    const other = { redirect_uri: `${REDIRECT_URI}/` };
    expect(await refusalOf(exchange('google', await codeFor('google'), other))).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['an unknown client', { client_id: 'local-github' }],
    ['an address elsewhere', { redirect_uri: 'https://localhost.example.com/callback' }],
    ['an address that is a script', { redirect_uri: 'javascript://localhost/%0aalert(1)' }],
    ['no challenge', { code_challenge: undefined }],
    ['a challenge without hash', { code_challenge_method: 'plain' }],
  ])('sends nobody back for %s', async (_what, changes) => {
    const address = authorizationUrl('google', changes);
    const answers = [
      await fetch(address, { redirect: 'manual' }),
      await submit(address, { account: provider.accounts.google[0].id }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [400, null],
      [400, null],
    ]);
    await expect(provider.pick(address, provider.accounts.google[0])).rejects.toThrow();
  });

  it('redirects with an error when the user cancels', async () => {
    const { searchParams } = new URL(
      (await submit(authorizationUrl('github'), { cancel: '' })).headers.get('location')!,
    );
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
      'access_denied',
      STATE,
      null,
    ]);
  });

  it('keeps a new account once, and shows its name as it was entered', async () => {
    const typed = { name: '<b>"Eve"</b>', email: 'eve@example.com' };
    for (const email of [typed.email, 'EVE@example.com']) {
      expect((await submit(authorizationUrl('google'), { ...typed, email })).headers.get('location')).toContain(
        'code=',
      );
    }
    expect(provider.accounts.google.slice(3)).toEqual([expect.objectContaining({ ...typed, isEmailVerified: false })]);
    for (const address of [authorizationUrl('google'), provider.url]) {
      expect(await (await fetch(address)).text()).toContain('&lt;b&gt;&quot;Eve&quot;&lt;/b&gt;');
    }
    expect((await submit(authorizationUrl('google'), { name: 'No address' })).status).toBe(400);
  });

  it('rejects API requests without a valid token', async () => {
    const addresses = [
      settingOf('google', 'PROFILE_URL'),
      settingOf('github', 'PROFILE_URL'),
      settingOf('github', 'EMAILS_URL'),
    ];
    const answers = await Promise.all(
      addresses.map((address) => fetch(address, { headers: { Authorization: 'Bearer wrong' } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('injects faults until they are removed, and stops while a response is pending', async () => {
    const profile = () => fetch(settingOf('google', 'PROFILE_URL'));
    provider.injectFault('profile', 'error');
    expect((await profile()).status).toBe(500);
    provider.injectFault('profile', 'null');
    expect(await jsonOf(profile())).toBeNull();
    provider.injectFault('profile', 'garbage');
    expect(await (await profile()).text()).toContain('<!doctype html>');
    provider.injectFault('profile', 'down');
    await expect(profile()).rejects.toThrow();
    provider.injectFault('profile', 'slow');
    const waiting = expect(profile()).rejects.toThrow();
    await fetch(provider.url);
    const { url } = provider;
    await provider.stop();
    await waiting;
    provider.injectFault('profile', undefined);
    await provider.start();
    expect([provider.url, (await profile()).status]).toEqual([url, 401]);
  });
});
