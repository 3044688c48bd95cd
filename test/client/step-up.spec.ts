import { createClient, unwrap, type Client } from '../../client/src/index';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';
import { eventually } from '../support/eventually';

/** Longer than a proof of the identity counts, shorter than an access token is valid. */
const PROOF_SECONDS = 10 * 60 + 1;
/** Needs a recent proof of the identity, and can be repeated. */
const PROTECTED = '/auth/factors/totp';

describe('a request of the typed client that needs a recent proof of the identity', () => {
  let t: TestApp;
  let owner: Member;
  let sent: string[];
  let questions: number;
  let refused: number;
  /** Delays the response to a request, in the order of the requests. */
  let delay: ((path: string) => Promise<void> | undefined) | undefined;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());
  beforeEach(() => {
    sent = [];
    questions = 0;
    refused = 0;
    delay = undefined;
  });

  const recordingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace('/api/v1', '');
    sent.push(`${request.method} ${path}`);
    const delayed = delay?.(path);
    const response = await fetch(request);
    if (response.status === 403) refused++;
    await delayed;
    return response;
  };
  /** A client whose last proof is too old. @param answer how the user answers the question */
  const signedIn = async (answer?: (api: Client) => Promise<boolean>): Promise<Client> => {
    const ask = (respond: NonNullable<typeof answer>) => {
      questions++;
      return respond(api);
    };
    const onStepUpRequired = answer && (() => ask(answer));
    const session = { keep: 'token' } as const;
    const api: Client = createClient({ baseUrl: t.address, session, onStepUpRequired, fetch: recordingFetch });
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    t.clock.advance(PROOF_SECONDS);
    sent = [];
    return api;
  };
  const confirm = async (api: Client) => (await api.POST('/auth/step-up', { body: { password: PASSWORD } })).ok;
  const refuse = () => Promise.resolve(false);
  const refusal = { ok: false, error: { code: 'STEP_UP_REQUIRED', status: 403 } };
  const protectedRequests = () => sent.filter((request) => request === `POST ${PROTECTED}`).length;

  it('is sent again after the user has confirmed the identity', async () => {
    const api = await signedIn(confirm);
    expect(unwrap(await api.POST(PROTECTED))).toHaveProperty('secret');
    expect(sent).toEqual([`POST ${PROTECTED}`, 'POST /auth/step-up', `POST ${PROTECTED}`]);
    expect((await api.POST(PROTECTED)).ok).toBe(true);
    expect(questions).toBe(1);
  });

  it('is sent again if it is for a file', async () => {
    const api = await signedIn(confirm);
    expect(await unwrap(await api.download('/users/me/export')).json()).toHaveProperty('lists.account');
    expect(questions).toBe(1);
    expect(await (await signedIn(refuse)).download('/users/me/export')).toMatchObject(refusal);
  });

  it('is sent again with its body', async () => {
    const invited = await t.actors.member(owner);
    const api = await signedIn(confirm);
    unwrap(await api.POST('/auth/switch-tenant', { body: { tenantId: owner.tenantId } }));
    const transferred = await api.POST('/tenants/current/ownership', { body: { userId: invited.user.id } });
    expect(transferred).toMatchObject({ ok: true });
    expect(questions).toBe(1);
    owner = await t.actors.owner();
  });

  it('shares the question with all requests that wait for it', async () => {
    const api = await signedIn(async (asking) => {
      await eventually(() => refused === 3 || undefined, 'three refusals');
      return confirm(asking);
    });
    const answers = await Promise.all([1, 2, 3].map(() => api.POST(PROTECTED)));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([questions, protectedRequests()]).toEqual([1, 6]);
  });

  it.each([
    ['confirmed', confirm, true],
    ['refused', refuse, false],
  ])('asks nothing if a question was %s while the request was on its way', async (_, answer, isDone) => {
    const api = await signedIn(answer);
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    delay = (path) => {
      if (path !== PROTECTED || !isFirst) return undefined;
      isFirst = false;
      return released;
    };
    const late = api.POST(PROTECTED);
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await api.POST(PROTECTED)).ok).toBe(isDone);
    release();
    expect((await late).ok).toBe(isDone);
    expect(questions).toBe(1);
  });

  it('returns the error if the user does not confirm, and asks again the next time', async () => {
    const api = await signedIn(refuse);
    expect(await Promise.all([api.POST(PROTECTED), api.POST(PROTECTED)])).toMatchObject([refusal, refusal]);
    expect([questions, protectedRequests()]).toEqual([1, 2]);
    expect(await api.POST(PROTECTED)).toMatchObject(refusal);
    expect(questions).toBe(2);
  });

  it('returns the error if the question fails, or if there is none', async () => {
    const failed = await signedIn(() => Promise.reject(new Error('the dialog could not be opened')));
    expect(await failed.POST(PROTECTED)).toMatchObject(refusal);
    expect(questions).toBe(1);
    const silent = await signedIn();
    expect(await silent.POST(PROTECTED)).toMatchObject(refusal);
    expect(protectedRequests()).toBe(1);
  });

  it('is sent twice at most, even if the answer proves nothing', async () => {
    const api = await signedIn(() => Promise.resolve(true));
    expect(await api.POST(PROTECTED)).toMatchObject(refusal);
    expect([questions, protectedRequests()]).toEqual([1, 2]);
  });

  it('renews an access token that has expired while the question was open', async () => {
    const api = await signedIn((asking) => {
      t.clock.advance(16 * 60);
      return confirm(asking);
    });
    expect(unwrap(await api.POST(PROTECTED))).toHaveProperty('secret');
    expect(sent.filter((request) => request === 'POST /auth/refresh')).toHaveLength(1);
  });

  it('is not sent again for another user who signed in while the question was open', async () => {
    const other = await t.actors.owner();
    const api = await signedIn(async (asking) => {
      const signIn = { email: other.user.email, password: PASSWORD };
      return (await asking.POST('/auth/login', { body: signIn })).ok;
    });
    expect(await api.POST(PROTECTED)).toMatchObject({ ok: false, error: { code: 'SESSION_CHANGED' } });
    expect(protectedRequests()).toBe(1);
  });
});
