import {
  addPasskey,
  confirmWithPasskey,
  createClient,
  offerPasskeyAutofill,
  removePasskey,
  signInWithPasskey,
  unwrap,
  withPasskey,
  type Client,
  type Failure,
  type PasskeyAssertion,
} from '../../client/src/index';
import { textOf } from '../../client/src/passkey-bytes';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';
import { AuthenticatorApp } from '../support/authenticator-app';
import { eventually } from '../support/eventually';
import { PasskeyBrowser } from './passkey-browser';
import { SoftwareAuthenticator } from '../support/software-authenticator';

const MINUTE = 60;

describe('passkeys with the typed client', () => {
  let t: TestApp;
  let browser: PasskeyBrowser;
  let ada: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    browser = new PasskeyBrowser();
    ada = await t.actors.owner();
  });
  afterEach(() => browser.remove());

  const visitor = (send: typeof fetch = fetch): Client =>
    createClient({ baseUrl: t.address, session: { keep: 'token' }, fetch: send });
  const signedIn = async (send?: typeof fetch): Promise<Client> => {
    const api = visitor(send);
    unwrap(await api.POST('/auth/login', { body: { email: ada.user.email, password: PASSWORD } }));
    return api;
  };
  const enrolled = async () => {
    const api = await signedIn();
    return { api, passkey: unwrap(await addPasskey(api, 'MacBook')) };
  };
  const fail = (failure: Failure) => {
    throw new Error(failure.code);
  };
  const refusal = (code: string) => ({ ok: false, error: { code } });
  const accepted = () => browser.signals.signalAllAcceptedCredentials;
  const unknown = () => browser.signals.signalUnknownCredential;

  it('are added, sign in without a name, and are the only ones that the browser offers then', async () => {
    const { passkey } = await enrolled();
    expect(passkey).toMatchObject({ id: browser.authenticator.id, name: 'MacBook', lastUsedAt: null });
    const api = visitor();
    unwrap(await signInWithPasskey(api));
    expect(api.session.claims()).toMatchObject({ sub: ada.user.id, tenant_id: ada.tenantId });
    expect((await api.GET('/auth/me')).ok).toBe(true);
    await eventually(() => accepted()[0], 'the signal of the passkeys');
    const userId = expect.stringMatching(/^[\w-]{86}$/);
    expect(accepted()).toEqual([{ rpId: 'localhost', userId, allAcceptedCredentialIds: [passkey.id] }]);
    expect(unknown()).toEqual([]);
  });

  it('are no longer offered after they were removed, here or elsewhere', async () => {
    const { api, passkey } = await enrolled();
    unwrap(await removePasskey(api, passkey.id));
    const told = { rpId: 'localhost', credentialId: passkey.id };
    expect(unknown()).toEqual([told]);
    expect(await signInWithPasskey(visitor())).toMatchObject(refusal('PASSKEY_UNKNOWN'));
    expect(unknown()).toEqual([told, told]);
    expect(await removePasskey(api, passkey.id)).toMatchObject(refusal('NOT_FOUND'));
    expect(unknown()).toHaveLength(2);
  });

  it('work in browsers that cannot be informed', async () => {
    const { api, passkey } = await enrolled();
    Reflect.deleteProperty(PublicKeyCredential, 'signalUnknownCredential');
    Reflect.deleteProperty(PublicKeyCredential, 'signalAllAcceptedCredentials');
    expect(await signInWithPasskey(visitor())).toMatchObject({ ok: true });
    expect(await removePasskey(api, passkey.id)).toMatchObject({ ok: true });
  });

  it('need a name before the browser asks, and are not offered again if the service refuses them', async () => {
    const api = await signedIn();
    expect(await addPasskey(api, ' ')).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', details: { name: [expect.any(String)] } },
    });
    expect(unknown()).toEqual([]);
    expect(await addPasskey(api, 'x'.repeat(101))).toMatchObject(refusal('VALIDATION_ERROR'));
    expect(unknown()).toEqual([{ rpId: 'localhost', credentialId: browser.authenticator.id }]);
    expect(unwrap(await api.GET('/auth/passkeys')).items).toEqual([]);
  });

  it('are offered again if the response was lost, because they may have been added', async () => {
    const api = await signedIn(async (input, init) => {
      const request = new Request(input, init);
      const response = await fetch(request);
      if (request.method === 'POST' && request.url.endsWith('/auth/passkeys')) throw new TypeError('fetch failed');
      return response;
    });
    expect(await addPasskey(api, 'MacBook')).toMatchObject(refusal('UNREACHABLE'));
    expect(unknown()).toEqual([]);
    expect(unwrap(await api.GET('/auth/passkeys')).items).toMatchObject([{ name: 'MacBook' }]);
    expect(await signInWithPasskey(visitor())).toMatchObject({ ok: true });
  });

  it.each([
    [1, 400, 'CHALLENGE_EXPIRED'],
    [1, 401, 'PASSKEY_INVALID'],
    [1, 409, 'LIMIT_REACHED'],
    [0, 403, 'STEP_UP_REQUIRED'],
    [0, 429, 'RATE_LIMITED'],
    [0, 500, 'INTERNAL_ERROR'],
  ] as const)('send %i signals to the browser after %i %s', async (signals, status, code) => {
    const api = await signedIn((input, init) => {
      const request = new Request(input, init);
      const isAdded = request.method === 'POST' && request.url.endsWith('/auth/passkeys');
      const body = { success: false, error: { code, message: 'Refused.' } };
      return isAdded ? Promise.resolve(Response.json(body, { status })) : fetch(request);
    });
    expect(await addPasskey(api, 'MacBook')).toMatchObject(refusal(code));
    expect(unknown()).toHaveLength(signals);
  });

  it.each([
    ['NotAllowedError', 'PASSKEY_CANCELED'],
    ['InvalidStateError', 'PASSKEY_EXISTS'],
    ['SecurityError', 'PASSKEYS_UNAVAILABLE'],
  ] as const)('name what the browser refuses: %s is %s', async (refused, code) => {
    const api = await signedIn();
    browser.refusal = refused;
    expect(await addPasskey(api, 'MacBook')).toMatchObject(refusal(code));
    expect(unwrap(await api.GET('/auth/passkeys')).items).toEqual([]);
  });

  it('are unavailable in a browser that has none, and on a page without https', async () => {
    const api = await signedIn();
    Object.defineProperty(globalThis, 'isSecureContext', { value: false, configurable: true });
    expect(await signInWithPasskey(api)).toMatchObject(refusal('PASSKEYS_UNAVAILABLE'));
    browser.remove();
    expect(await signInWithPasskey(api)).toMatchObject(refusal('PASSKEYS_UNAVAILABLE'));
    await expect(offerPasskeyAutofill(api, new AbortController().signal, fail)).resolves.toBeUndefined();
  });

  it('are a second factor, and confirm the identity with those of the user only', async () => {
    const { passkey } = await enrolled();
    await AuthenticatorApp.enrol(t, ada);
    const api = visitor();
    const signIn = unwrap(await api.POST('/auth/login', { body: { email: ada.user.email, password: PASSWORD } }));
    if (!('secondFactor' in signIn)) throw new Error('signed in without a second factor');
    const { ticket } = signIn.secondFactor;
    const complete = (assertion: PasskeyAssertion) =>
      api.POST('/auth/second-factor', { body: { ticket, passkey: assertion } });
    unwrap(await withPasskey(api, complete));
    expect(browser.questions[0].publicKey!.allowCredentials).toEqual([]);
    expect(api.session.claims()?.sub).toBe(ada.user.id);
    unwrap(await confirmWithPasskey(api));
    const { allowCredentials } = browser.questions[1].publicKey!;
    expect(allowCredentials!.map(({ id }) => textOf(id as ArrayBuffer))).toEqual([passkey.id]);
  });

  describe('in the autofill', () => {
    const isOffered = (times: number) => eventually(() => browser.choose[times - 1], `${times} questions`);

    it('sign in when one is chosen', async () => {
      await enrolled();
      const api = visitor();
      const offering = offerPasskeyAutofill(api, new AbortController().signal, fail);
      (await isOffered(1))();
      await offering;
      expect(api.session.claims()?.sub).toBe(ada.user.id);
      expect(browser.questions).toHaveLength(1);
    });

    it('end with the page', async () => {
      const page = new AbortController();
      const offering = offerPasskeyAutofill(visitor(), page.signal, fail);
      await isOffered(1);
      page.abort();
      await offering;
      expect(browser.questions).toHaveLength(1);
    });

    it('get a new challenge before theirs expires', async () => {
      await enrolled();
      const expiry = new AbortController();
      const timer = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
        return ms === 4 * MINUTE * 1000 ? expiry.signal : new AbortController().signal;
      });
      const api = visitor();
      const offering = offerPasskeyAutofill(api, new AbortController().signal, fail);
      await isOffered(1);
      t.clock.advance(5 * MINUTE);
      timer.mockRestore();
      expiry.abort();
      (await isOffered(2))();
      await offering;
      expect(api.session.claims()?.sub).toBe(ada.user.id);
    });

    it('make room for the button, and are offered again', async () => {
      await enrolled();
      const page = new AbortController();
      const offering = offerPasskeyAutofill(visitor(), page.signal, fail);
      await isOffered(1);
      const api = visitor();
      browser.isSlow = true;
      const signingIn = signInWithPasskey(api);
      const press = await isOffered(2);
      expect(browser.questions[0].signal!.aborted).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 200)); // in which nothing ends the dialog
      expect(browser.questions).toHaveLength(2);
      press();
      unwrap(await signingIn);
      expect(api.session.claims()?.sub).toBe(ada.user.id);
      await isOffered(3);
      page.abort();
      await offering;
    });

    it('leave the dialog of the button open if they ended before their options came', async () => {
      await enrolled();
      let answer = () => {};
      const options = new Promise<void>((resolve) => (answer = resolve));
      const late: typeof fetch = (...request) => options.then(() => fetch(...request));
      const page = new AbortController();
      const offering = offerPasskeyAutofill(visitor(late), page.signal, fail);
      const api = visitor();
      browser.isSlow = true;
      const signingIn = signInWithPasskey(api);
      const press = await isOffered(1);
      page.abort();
      answer();
      await new Promise((resolve) => setTimeout(resolve, 200)); // in which nothing ends the dialog
      expect([browser.questions.length, browser.questions[0].signal!.aborted]).toEqual([1, false]);
      press();
      unwrap(await signingIn);
      await offering;
      expect(api.session.claims()?.sub).toBe(ada.user.id);
    });

    it('report a passkey that is refused, and are offered again with a new challenge', async () => {
      await enrolled();
      const { authenticator } = browser;
      browser.authenticator = new SoftwareAuthenticator();
      const refused: string[] = [];
      const api = visitor();
      const signal = new AbortController().signal;
      const offering = offerPasskeyAutofill(api, signal, ({ code }) => {
        refused.push(code);
      });
      (await isOffered(1))();
      (await isOffered(2).finally(() => t.clock.advance(6 * MINUTE)))();
      browser.authenticator = authenticator;
      (await isOffered(3))();
      await offering;
      expect(refused).toEqual(['PASSKEY_UNKNOWN', 'CHALLENGE_EXPIRED']);
      expect(api.session.claims()?.sub).toBe(ada.user.id);
    });

    it('are offered when the service has options again, which is asked when it says so', async () => {
      await enrolled();
      const asked: number[] = [];
      const api = visitor((input, init) => {
        const request = new Request(input, init);
        if (!request.url.endsWith('/auth/passkey/options') || asked.push(Date.now()) > 7) return fetch(request);
        const body = { success: false, error: { code: 'RATE_LIMITED', message: 'Refused.' } };
        return Promise.resolve(Response.json(body, { status: 429, headers: { 'Retry-After': '0.05' } }));
      });
      const offering = offerPasskeyAutofill(api, new AbortController().signal, fail);
      (await isOffered(1))();
      await offering;
      expect(api.session.claims()?.sub).toBe(ada.user.id);
      expect(asked).toHaveLength(8);
      for (let nth = 1; nth < asked.length; nth++) expect(asked[nth] - asked[nth - 1]).toBeGreaterThanOrEqual(45);
    });

    it('wait if the service cannot be reached, and end with the page then as well', async () => {
      const page = new AbortController();
      let asked = 0;
      const api = visitor(() => {
        asked++;
        return Promise.reject(new TypeError('fetch failed'));
      });
      const offering = offerPasskeyAutofill(api, page.signal, fail);
      await new Promise((resolve) => setTimeout(resolve, 2000)); // in which one question is sent three times
      page.abort();
      await offering;
      expect([asked, browser.questions.length]).toEqual([3, 0]);
    });

    it('are not offered endlessly by a browser that refuses at once', async () => {
      const credentials = { get: () => Promise.reject(new DOMException('refused', 'NotAllowedError')) };
      const asked = jest.spyOn(credentials, 'get');
      Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true });
      await offerPasskeyAutofill(visitor(), new AbortController().signal, fail);
      expect(asked).toHaveBeenCalledTimes(5);
    });
  });
});
