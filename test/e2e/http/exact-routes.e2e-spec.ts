import { TestApp } from '../../support/app';

interface Layer {
  readonly route?: { readonly path: string };
  match(path: string): unknown;
}

describe('A frequent request', () => {
  let t: TestApp;
  /** The patterns of routes that the router has tried. */
  let tried: string[];
  beforeAll(async () => {
    t = await TestApp.start();
    await t.api.get('/health/live').expect(200); // the routes are read at the first request
    const { stack } = t.nest.getHttpAdapter().getInstance().router as unknown as { stack: Layer[] };
    for (const layer of stack) {
      if (!layer.route) continue;
      const { path } = layer.route;
      const match = layer.match.bind(layer);
      layer.match = (requested) => {
        tried.push(path);
        return match(requested);
      };
    }
  });
  afterAll(() => t.close());
  beforeEach(() => (tried = []));

  it.each([
    ['get', '/health/live', 200],
    ['get', '/auth/me', 401],
    ['post', '/auth/refresh', 400],
    ['post', '/auth/login', 400],
    ['patch', '/users/me', 401],
    ['get', '/tenants/current/members', 401],
    ['get', '/billing/plans', 200],
    ['post', '/webhooks/stripe', 503],
  ] as const)('%s %s is served without trying the patterns of other routes', async (method, path, status) => {
    await t.api[method](path).expect(status);
    expect(tried).toEqual([]);
  });

  it('with a parameter in its path is found by the router', async () => {
    await t.api.delete('/auth/sessions/018f0000-0000-7000-8000-000000000000').expect(401);
    expect(tried).toContain('/api/v1/auth/sessions/:id');
  });
});
