import { Client as PgClient } from 'pg';
import { createClient, unwrap, type Client } from '../../client/src/index';
import { repeatWrites } from '../../client/src/repeated-writes';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';

const KEY = 'Idempotency-Key';

describe('a write of the typed client', () => {
  let t: TestApp;
  let owner: Member;
  let keys: (string | null)[];
  /** How many responses to writes are lost before the next one arrives. */
  let losses: number;
  /** Whether the connection of the next write breaks while the service executes it. */
  let isCut: boolean;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    owner = await t.actors.owner({ plan: 'Business' });
  });
  afterAll(() => t.close());
  beforeEach(() => {
    keys = [];
    losses = 0;
    isCut = false;
  });

  /** The service receives each request; some responses do not arrive. */
  const losingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const isRecorded = !request.url.includes('/auth/');
    if (isRecorded) keys.push(request.headers.get(KEY));
    if (isCut && isRecorded) {
      isCut = false;
      void fetch(request);
      throw new TypeError('fetch failed');
    }
    const response = await fetch(request);
    if (!isRecorded || request.method === 'GET' || losses-- <= 0) return response;
    throw new TypeError('fetch failed');
  };
  const signedIn = async (): Promise<Client> => {
    const api = createClient({ baseUrl: t.address, session: { keep: 'token' }, fetch: losingFetch });
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    return api;
  };
  const projects = async (api: Client, name: string) =>
    unwrap(await api.GET('/tenants/current/projects', { params: { query: { limit: 100 } } })).items.filter(
      (project) => project.name === name,
    ).length;

  it('has a key of its own, and a read has none', async () => {
    const api = await signedIn();
    for (let i = 0; i < 2; i++) unwrap(await api.POST('/tenants/current/projects', { body: { name: 'Plain' } }));
    expect(await projects(api, 'Plain')).toBe(2);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.any(String), null]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('is sent again with the same key if its response is lost, and executed once', async () => {
    const api = await signedIn();
    losses = 2;
    const { name } = unwrap(await api.POST('/tenants/current/projects', { body: { name: 'Lost' } }));
    expect(name).toBe('Lost');
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await projects(api, 'Lost')).toBe(1);
  });

  it('fails after three lost responses, and can be repeated by the caller with a key of their own', async () => {
    const api = await signedIn();
    const params = { header: { [KEY]: 'a key of the caller'.replaceAll(' ', '-') } } as const;
    const create = () => api.POST('/tenants/current/projects', { params, body: { name: 'Unlucky' } });
    losses = 3;
    expect(await create()).toMatchObject({ ok: false, error: { code: 'UNREACHABLE' } });
    expect((await create()).ok).toBe(true);
    expect(new Set(keys)).toEqual(new Set(['a-key-of-the-caller']));
    expect(await projects(api, 'Unlucky')).toBe(1);
  });

  it('waits for its first attempt if that is still running', async () => {
    const api = await signedIn();
    const params = { header: { [KEY]: 'two-requests-at-once' } } as const;
    const create = () => api.POST('/tenants/current/projects', { params, body: { name: 'Together' } });
    const [one, other] = await Promise.all([create(), create()]);
    expect(unwrap(one)).toEqual(unwrap(other));
    expect(await projects(api, 'Together')).toBe(1);
  });

  it('waits for an attempt that runs longer than its pauses, whose response was lost', async () => {
    const api = await signedIn();
    const locker = new PgClient({ connectionString: t.database.superuserUrl });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE projects IN EXCLUSIVE MODE');
    isCut = true;
    const creating = api.POST('/tenants/current/projects', { body: { name: 'Slow' } });
    await new Promise((resolve) => setTimeout(resolve, 2000)); // longer than the pauses after losses
    await locker.query('COMMIT');
    await locker.end();
    expect(unwrap(await creating).name).toBe('Slow');
    expect(await projects(api, 'Slow')).toBe(1);
  });

  it('asks for the answer of a running attempt when the service says, for half a minute', async () => {
    jest.useFakeTimers();
    const attempts: number[] = [];
    const running: typeof fetch = () => {
      attempts.push(Date.now() - start);
      const body = { success: false, error: { code: 'IDEMPOTENCY_IN_PROGRESS', message: '' } };
      return Promise.resolve(Response.json(body, { status: 409, headers: { 'Retry-After': '10' } }));
    };
    const start = Date.now();
    const answer = repeatWrites(running)('http://localhost/', {
      method: 'POST',
      headers: { [KEY]: 'a-running-write' },
    });
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect((await answer).status).toBe(409);
    expect(attempts).toEqual([0, 10_000, 20_000, 30_000]);
  });

  it('ends at once when the caller aborts it', async () => {
    const api = await signedIn();
    losses = 3;
    const create = api.POST('/tenants/current/projects', {
      body: { name: 'Aborted' },
      signal: AbortSignal.timeout(100),
    });
    await expect(create).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(keys.length).toBeLessThan(3);
  });

  it('is sent again with the same key if the service does not know its outcome, at most three times', async () => {
    const sent: (string | null)[] = [];
    const answering = (unknown: number): typeof fetch =>
      repeatWrites((input) => {
        sent.push(new Request(input).headers.get(KEY));
        const isUnknown = sent.length <= unknown;
        const body = isUnknown ? { success: false, error: { code: 'OUTCOME_UNKNOWN' } } : { success: true };
        return Promise.resolve(Response.json(body, { status: isUnknown ? 503 : 200 }));
      });
    const write = { method: 'POST', headers: { [KEY]: 'key-of-one-write' } };
    expect((await answering(2)(t.address, write)).status).toBe(200);
    expect(sent).toEqual(Array(3).fill('key-of-one-write'));
    sent.length = 0;
    expect((await answering(9)(t.address, write)).status).toBe(503);
    expect(sent).toHaveLength(3);
  });
});
