import { createClient, unwrap, type Client } from '../../client/src/index';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';

describe('the tenant of the typed client', () => {
  let t: TestApp;
  let owner: Member;
  let second: string;
  /** The bodies of the refreshes. */
  let refreshes: { readonly refreshToken?: string; readonly tenantId?: string }[];
  /** Replaces the response to a refresh that names a tenant. */
  let refusal: (() => Response) | undefined;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner();
    const { body } = await t.api.post('/tenants').set(owner.bearer).send({ name: 'Second' }).expect(200);
    second = (body as { data: { id: string } }).data.id;
  });
  afterAll(() => t.close());
  beforeEach(() => {
    refreshes = [];
    refusal = undefined;
  });

  const recordingFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.endsWith('/auth/refresh')) return fetch(request);
    const body = (await request.clone().json()) as (typeof refreshes)[number];
    refreshes.push(body);
    return (body.tenantId && refusal?.()) || fetch(request);
  };
  const clientOf = (refreshToken?: string): Client =>
    createClient({ baseUrl: t.address, session: { keep: 'token', refreshToken }, fetch: recordingFetch });
  const signedIn = async () => {
    const api = clientOf();
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    unwrap(await api.POST('/auth/switch-tenant', { body: { tenantId: owner.tenantId } }));
    return api;
  };
  /** Switches the session to another tenant without this client, as another tab does. */
  const switchElsewhere = async (api: Client, tenantId: string) => {
    const token = (await api.session.token()) as { data: string };
    const headers = { Authorization: `Bearer ${token.data}` };
    await t.api.post('/auth/switch-tenant').set(headers).send({ tenantId }).expect(200);
  };

  it('keeps its tenant at each refresh, although another tab has switched the session', async () => {
    const api = await signedIn();
    await switchElsewhere(api, second);
    t.clock.advance(16 * 60);
    expect(unwrap(await api.GET('/auth/me')).tenant?.id).toBe(owner.tenantId);
    expect(refreshes).toMatchObject([{ tenantId: owner.tenantId }]);
    unwrap(await api.POST('/auth/switch-tenant', { body: { tenantId: second } }));
    expect((await api.session.renew()).kind).toBe('renewed');
    expect(api.session.claims()?.tenant_id).toBe(second);
    expect(refreshes).toMatchObject([{ tenantId: owner.tenantId }, { tenantId: second }]);
  });

  it('names no tenant before it knows one', async () => {
    const { refreshToken } = await t.actors.signIn(owner.user.email);
    const api = clientOf(refreshToken);
    await api.session.restore();
    expect(refreshes).toEqual([{ refreshToken }]);
  });

  it('continues in the tenant that restore names, if the user is a member', async () => {
    const { refreshToken } = await t.actors.signIn(owner.user.email);
    const stranger = await t.actors.owner();
    const api = clientOf(refreshToken);
    expect(await api.session.restore({}, second)).toMatchObject({ tenant_id: second });
    expect(refreshes).toEqual([{ refreshToken, tenantId: second }]);
    const other = clientOf((await t.actors.signIn(owner.user.email)).refreshToken);
    const claims = await other.session.restore({}, stranger.tenantId);
    expect([owner.tenantId, second]).toContain(claims?.tenant_id);
    await other.session.renew();
    expect(refreshes.at(-1)?.tenantId).toBe(claims?.tenant_id);
  });

  it('stays signed in if the service refuses the id of the tenant, as a service of an older version does', async () => {
    const api = await signedIn();
    refusal = () =>
      Response.json(
        {
          success: false,
          error: { code: 'VALIDATION_ERROR', message: 'no', details: { tenantId: ['is not a known field'] } },
        },
        { status: 400 },
      );
    expect((await api.session.renew()).kind).toBe('renewed');
    expect(refreshes.map(({ tenantId }) => tenantId)).toEqual([owner.tenantId, undefined]);
    expect((await api.GET('/auth/me')).ok).toBe(true);
    refusal = undefined;
    const { refreshToken } = await t.actors.signIn(owner.user.email);
    expect(await clientOf(refreshToken).session.restore({}, 'not-an-id')).toMatchObject({ sub: owner.user.id });
  });

  it('forgets its tenant at sign-out', async () => {
    const api = await signedIn();
    const stranger = await t.actors.owner();
    await api.logOut();
    unwrap(await api.POST('/auth/login', { body: { email: stranger.user.email, password: PASSWORD } }));
    await api.session.renew();
    expect(refreshes).toMatchObject([{ tenantId: stranger.tenantId }]);
    expect(api.session.claims()?.tenant_id).toBe(stranger.tenantId);
  });
});
