import { DAY } from '../../../src/platform/clock';
import { ALL_PERMISSIONS } from '../../../src/platform/permissions';
import { TestApp } from '../../support/app';
import { bearer, claimsOf } from '../../support/actors';

describe('registering and verifying an account', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { ADMIN_EMAILS: 'root@example.com', LOG_LEVEL: 'trace' } });
  });
  afterAll(() => t.close());

  const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' };
  const register = (body: object) => t.api.post('/auth/register').send(body);
  const verify = (token: string) => t.api.get('/auth/verify-email').query({ token });
  /** A new account, and the token that was mailed for it. */
  const registered = async (email: string) => {
    await register({ ...ada, email }).expect(201);
    return t.mailbox.token(email);
  };

  it('creates an unverified account, issues no tokens, and mails a link', async () => {
    const { body, headers } = await register({ ...ada, email: '  Ada@Example.COM ' }).expect(201);
    // the comparison with the API document refuses any other field
    expect(body).toMatchObject({
      success: true,
      data: {
        user: {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          email: 'ada@example.com',
          name: 'Ada',
          isEmailVerified: false,
          pictureUrl: null,
          isAdmin: false,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      },
    });
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^registration=.*HttpOnly/)]);
    const mail = await t.mailbox.last('ada@example.com');
    expect(mail).toMatchObject({ from: '"Tenantry" <hello@tenantry.test>', subject: 'Verify your email address' });
    expect(mail.text).toContain('http://localhost:3000/api/v1/auth/verify-email?token=');
    expect(mail.html).toContain('Verify email address</a>');
    expect(mail.text + mail.html).not.toContain('Ada');
  });

  it('refuses a verified address, ignoring its case', async () => {
    await verify(await registered('taken@example.com')).expect(200);
    const { body } = await register({ ...ada, email: 'TAKEN@example.com' }).expect(409);
    expect(body).toEqual({ success: false, error: { code: 'EMAIL_TAKEN', message: expect.any(String) } });
  });

  it('creates one account for simultaneous registrations of one address', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => register({ ...ada, email: 'race@example.com' })));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map(({ body }) => body.data.user.id)).size).toBe(1);
    await t.mailbox.last('race@example.com');
    expect(await t.database.query('SELECT id FROM users WHERE email = $1', ['race@example.com'])).toHaveLength(1);
  });

  it.each([
    ['nothing', undefined, ['email', 'name', 'password']],
    ['a wrong address', { ...ada, email: 'ada' }, ['email']],
    ['an address of the wrong type', { ...ada, email: { $ne: 1 } }, ['email']],
    ['a short password', { ...ada, password: 'seven77' }, ['password']],
    ['a password that is too long', { ...ada, password: 'x'.repeat(129) }, ['password']],
    ['the address as password', { ...ada, password: ada.email }, ['password']],
    ['a common password', { ...ada, password: 'password1' }, ['password']],
    ['a blank name', { ...ada, name: '   ' }, ['name']],
    ['a long name', { ...ada, name: 'x'.repeat(101) }, ['name']],
    ['a name that cannot be stored', { ...ada, name: 'A\u0000da' }, ['name']],
  ])('refuses %s, with details on the fields', async (_what, body, fields) => {
    const response = await t.api.post('/auth/register').send(body).expect(400);
    expect(response.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    expect(Object.keys(response.body.error.details).sort()).toEqual(fields);
  });

  it('keeps the password exactly as typed and drops unknown properties', async () => {
    const password = '  spaces around me  ';
    await register({ ...ada, email: 'spaces@example.com', password, isEmailVerified: true, isAdmin: true }).expect(201);
    const login = (attempt: string) =>
      t.api.post('/auth/login').send({ email: 'spaces@example.com', password: attempt });
    expect((await login(password.trim()).expect(401)).body.error.code).toBe('INVALID_CREDENTIALS');
    expect((await login(password).expect(400)).body.error.code).toBe('EMAIL_NOT_VERIFIED');
  });

  it('signs the owner in with the mailed token', async () => {
    const token = await registered('verify@example.com');
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { body, headers } = await verify(token).expect(200);
    expect(body.data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^[\w-]{64}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(headers['set-cookie'][0]).toMatch(
      /^refresh_token=[\w-]{64}; Max-Age=604800; Path=\/api\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data.user).toMatchObject({ email: 'verify@example.com', isEmailVerified: true });
    expect(me.body.data).toMatchObject({
      tenant: { name: "Ada's workspace" },
      role: 'Owner',
      permissions: ALL_PERMISSIONS,
    });
    expect(claimsOf(body.data.accessToken)).toEqual({
      sub: me.body.data.user.id,
      email: 'verify@example.com',
      name: 'Ada',
      tenant_id: me.body.data.tenant.id,
      role: 'Owner',
      permissions: ALL_PERMISSIONS,
      is_admin: false,
      jti: expect.any(String),
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000',
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });

  it('redirects a browser to the web client with the result in the fragment', async () => {
    const token = await registered('browser@example.com');
    const navigate = () => verify(token).set('Accept', 'text/html,application/xhtml+xml').redirects(0).expect(302);
    const good = await navigate();
    expect(good.headers.location).toMatch(
      /^http:\/\/localhost:5173#accessToken=[\w.-]+&refreshToken=[\w-]{64}&expiresIn=900$/,
    );
    expect(good.headers['referrer-policy']).toBe('no-referrer');
    expect(good.headers['set-cookie'][0]).toContain('refresh_token=');
    const again = await navigate();
    expect(again.headers.location).toBe('http://localhost:5173#error=VERIFICATION_TOKEN_INVALID');
    const without = await t.api.get('/auth/verify-email').set('Accept', 'text/html').expect(302);
    expect(without.headers.location).toBe('http://localhost:5173#error=VALIDATION_ERROR');
  });

  it('accepts a token once, also in simultaneous requests', async () => {
    const token = await registered('twice@example.com');
    const responses = await Promise.all([verify(token), verify(token), verify(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await verify(token).expect(400)).body.error.code).toBe('VERIFICATION_TOKEN_INVALID');
  });

  it('does not consume a token on prefetching', async () => {
    const token = await registered('looked-at@example.com');
    await t.api.head('/auth/verify-email').query({ token }).expect(204);
    await verify(token).set('Sec-Purpose', 'prefetch;prerender').expect(204);
    await verify(token).expect(200);
  });

  it('accepts a token for 24 hours', async () => {
    const token = await registered('next-day@example.com');
    t.clock.advance(DAY - 30);
    await verify(token).expect(200);
  });

  it('refuses a token after 24 hours, and mails a new one that works', async () => {
    const old = await registered('late@example.com');
    t.clock.advance(DAY + 1);
    expect((await verify(old).expect(400)).body.error.code).toBe('VERIFICATION_TOKEN_EXPIRED');
    const { body } = await t.api.post('/auth/resend-verification').send({ email: 'late@example.com' }).expect(200);
    expect(body).toEqual({ success: true, data: null });
    const fresh = await t.mailbox.token('late@example.com', 2);
    expect((await verify(old).expect(400)).body.error.code).toBe('VERIFICATION_TOKEN_EXPIRED');
    await verify(fresh).expect(200);
  });

  it('responds to a resend the same way for an unknown and a verified address, and mails nothing', async () => {
    const { user } = await t.actors.signedInUser();
    for (const email of ['nobody@example.com', user.email]) {
      const { body } = await t.api.post('/auth/resend-verification').send({ email }).expect(200);
      expect(body).toEqual({ success: true, data: null });
    }
    // a later mail arrives, so an earlier one would have arrived
    await t.api.post('/auth/password/forgot').send({ email: user.email });
    expect((await t.mailbox.last(user.email)).subject).toBe('Reset your password');
    expect(t.mailbox.to('nobody@example.com')).toEqual([]);
    expect(t.mailbox.to(user.email)).toHaveLength(1);
  });

  it('sets is_admin for a verified address in ADMIN_EMAILS', async () => {
    const token = await registered('root@example.com');
    const { body } = await verify(token).expect(200);
    expect(claimsOf(body.data.accessToken).is_admin).toBe(true);
    const me = await t.api.get('/auth/me').set(bearer(body.data.accessToken)).expect(200);
    expect(me.body.data.user.isAdmin).toBe(true);
  });

  it('stores and logs neither tokens nor passwords', async () => {
    const token = await registered('quiet@example.com');
    const tables = await t.database.query<{ dump: string }>(
      `SELECT (SELECT json_agg(u) FROM users u)::text || (SELECT json_agg(o) FROM one_time_tokens o)::text
           || COALESCE((SELECT json_agg(j) FROM graphile_worker._private_jobs j)::text, '') AS dump`,
    );
    const everything = tables[0].dump + t.logLines.join('');
    expect(everything).toContain('/api/v1/auth/register');
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(ada.password);
  });
});
