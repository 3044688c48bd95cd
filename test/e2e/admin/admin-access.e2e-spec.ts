import { openApiDocument } from '../../../src/http/openapi/openapi-document';
import { addSeconds, DAY } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import type { Bearer, Member, SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

describe('the admin API', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let owner: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { ADMIN_EMAILS: 'root@example.com, late@example.com' } });
    admin = await t.actors.admin();
    owner = await t.actors.owner();
  });
  afterAll(() => t.close());

  const routes = () =>
    Object.entries(openApiDocument(t.nest, t.settings).paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item && path.includes('/admin/')).map((method) => ({ method, path })),
    );
  const override = () => ({ plan: 'Pro', endsAt: addSeconds(t.clock.now(), DAY), reason: 'A plan for a day' });
  const ask = (method: (typeof METHODS)[number], path: string, by?: Bearer) => {
    const id = path.includes('/jobs') ? '1' : newId();
    const query = path.endsWith('/names') ? { ids: id } : path.endsWith('/search') ? { q: id } : {};
    return t.http[method](path.replace(/\{\w+\}/g, id))
      .query(query)
      .set(by?.bearer ?? {})
      .send(method === 'get' ? undefined : { ...override(), status: 'Active', ids: [id], task: 'x' });
  };

  it('responds with 401 without a token and 403 to all but admins, Owners included, on every route', async () => {
    expect(routes().length).toBeGreaterThanOrEqual(27);
    for (const { method, path } of routes()) {
      expect([path, codeOf(await ask(method, path).expect(401))]).toEqual([path, 'UNAUTHENTICATED']);
      expect([path, codeOf(await ask(method, path, owner).expect(403))]).toEqual([path, 'FORBIDDEN']);
      const { status } = await ask(method, path, admin);
      expect([path, [200, 404, 503].includes(status)]).toEqual([path, true]); // 503: Stripe is not configured
    }
  });

  it('is closed to an admin during an impersonation, on every route', async () => {
    const impersonating = await t.actors.impersonating(admin, owner);
    for (const { method, path } of routes()) {
      expect([path, codeOf(await ask(method, path, impersonating).expect(403))]).toEqual([
        path,
        'NOT_WHILE_IMPERSONATING',
      ]);
    }
  });

  it('is open to a verified address in ADMIN_EMAILS', async () => {
    const root = await t.actors.signedInUser({ email: 'root@example.com' });
    await t.api.get('/admin/overview').set(root.bearer).expect(200);
    const listed = await t.api.get('/admin/users?search=root@example').set(admin.bearer).expect(200);
    expect(listed.body.data.items).toMatchObject([{ email: 'root@example.com', isAdmin: true }]);
    const { id } = await t.actors.user({ email: 'late@example.com', isEmailVerified: false, isAdmin: true });
    expect((await t.api.get(`/admin/users/${id}`).set(admin.bearer).expect(200)).body.data.isAdmin).toBe(false);
  });
});
