import { createClient, unwrap, type Client } from '../../client/src/index';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';

/** More of them: `LOST_RESPONSES=10000 npm test -- --testPathPatterns lost-responses`. */
const REFRESHES = Number(process.env.LOST_RESPONSES ?? 1000);
/** Every tenth response is lost. */
const LOST = 10;

describe('a client on a line that loses responses', () => {
  let t: TestApp;
  let owner: Member;
  let refreshes = 0;
  let lost = 0;
  let isLosing = true;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  /** The service receives the request, and the client no response. */
  const losingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (!isLosing || !request.url.endsWith('/auth/refresh') || ++refreshes % LOST > 0) return response;
    lost++;
    throw new TypeError('fetch failed');
  };
  const signedIn = async (onRefreshToken?: (token: string | null) => void): Promise<Client> => {
    const session = { keep: 'token', onRefreshToken } as const;
    const api = createClient({ baseUrl: t.address, session, fetch: losingFetch });
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    return api;
  };

  it('is never signed out, although its refresh tokens are used twice', async () => {
    const api = await signedIn();
    const outcomes = new Map<string, number>();
    for (let done = 0; done < REFRESHES; done++) {
      const { kind } = await api.session.renew();
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    expect(lost).toBe(Math.floor(REFRESHES / LOST));
    expect(Object.fromEntries(outcomes)).toEqual({ renewed: REFRESHES - lost, failed: lost });
    expect((await api.GET('/auth/me')).ok).toBe(true);
  }, 180_000);

  it('is signed out if a used token is replayed by a thief, who has no key', async () => {
    isLosing = false;
    const tokens: (string | null)[] = [];
    const api = await signedIn((token) => {
      tokens.push(token);
    });
    expect(await api.session.renew()).toEqual({ kind: 'renewed' });
    const stolen = await t.api.post('/auth/refresh').send({ refreshToken: tokens[0] }).expect(401);
    expect(stolen.body.error.code).toBe('TOKEN_REUSE_DETECTED');
    expect(await api.session.renew()).toEqual({ kind: 'ended' });
  });
});
