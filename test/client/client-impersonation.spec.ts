import { createClient, unwrap, type Client } from '../../client/src/index';
import { PASSWORD, type Member } from '../support/actors';
import { TestApp } from '../support/app';

describe('the typed client', () => {
  let t: TestApp;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start();
    owner = await t.actors.owner({ plan: 'Pro' });
  });
  afterAll(() => t.close());

  const clientOf = (refreshToken?: string): Client =>
    createClient({ baseUrl: t.address, session: { keep: 'token', refreshToken } });
  const signedIn = async () => {
    const api = clientOf();
    unwrap(await api.POST('/auth/login', { body: { email: owner.user.email, password: PASSWORD } }));
    return api;
  };

  it('impersonates a user until the token expires, then returns to the own session', async () => {
    const admin = await t.actors.admin();
    const api = clientOf(admin.refreshToken);
    await api.session.restore();
    const acting = unwrap(
      await api.POST('/admin/users/{id}/impersonate', { params: { path: { id: owner.user.id } }, body: {} }),
    );
    expect(api.session.claims()?.sub).toBe(admin.user.id);
    await api.session.restore({ accessToken: acting.accessToken, expiresIn: acting.expiresIn });
    expect(api.session.claims()).toMatchObject({ sub: owner.user.id, impersonator_id: admin.user.id });
    expect((await api.GET('/auth/me')).ok).toBe(true);
    expect(await api.GET('/admin/overview')).toMatchObject({ ok: false, error: { code: 'NOT_WHILE_IMPERSONATING' } });
    t.clock.advance(16 * 60);
    expect(await api.GET('/auth/me')).toMatchObject({ ok: false, error: { code: 'ACCESS_TOKEN_EXPIRED' } });
    expect(api.session.claims()?.sub).toBe(admin.user.id);
    expect((await api.GET('/auth/me')).ok).toBe(true);
    api.session.close();
  });

  it('does not begin an impersonation with a token that the service rejects', async () => {
    const admin = await t.actors.admin();
    const [header, claims, signature] = (await t.actors.impersonating(admin, owner)).accessToken.split('.');
    const written = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...written, name: 'Call 0900 123' })).toString('base64url');
    const api = await signedIn();
    for (const accessToken of [`${header}.${forged}.${signature}`, `${header}.${forged}.`]) {
      expect(await api.session.restore({ accessToken, expiresIn: 900 })).toMatchObject({
        sub: owner.user.id,
        name: owner.user.name,
      });
      expect(api.session.claims()?.impersonator_id).toBeUndefined();
    }
    api.session.close();
  });

  it('impersonates a user even if the own session has ended', async () => {
    const admin = await t.actors.admin();
    const acting = (await t.actors.impersonating(admin, owner)).accessToken;
    const api = clientOf('an invalid refresh token');
    expect(await api.session.restore({ accessToken: acting, expiresIn: 900 })).toMatchObject({
      sub: owner.user.id,
      impersonator_id: admin.user.id,
    });
    expect((await api.GET('/auth/me')).ok).toBe(true);
    api.session.leaveImpersonation();
    expect(api.session.claims()).toBeNull();
    api.session.close();
  });
});
