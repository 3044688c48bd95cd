import { hash } from '@node-rs/argon2';
import { MINUTE } from '../../../src/platform/clock';
import { PasswordHasher } from '../../../src/users/domain/password-hasher';
import { claimsOf, PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('signing in with a password', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOGIN_MAX_FAILURES: '3', TRUST_PROXY: 'true' } });
  });
  afterAll(() => t.close());

  const logIn = (email: string, password = PASSWORD, from = '10.0.0.1') =>
    t.api.post('/auth/login').set('X-Forwarded-For', from).send({ email, password });
  const codeOf = async (request: ReturnType<typeof logIn>, status: number) =>
    (await request.expect(status)).body.error.code as string;

  it('returns a token pair and sets the cookie', async () => {
    const user = await t.actors.user();
    const { body, headers } = await logIn(user.email.toUpperCase()).expect(200);
    expect(body).toEqual({
      success: true,
      data: { accessToken: expect.any(String), refreshToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
    });
    expect(headers['set-cookie'][0]).toContain(`refresh_token=${body.data.refreshToken};`);
    expect(headers['cache-control']).toBe('no-store');
    expect(claimsOf(body.data.accessToken).sub).toBe(user.id);
  });

  it('has the same response to an unknown address and a wrong password', async () => {
    const user = await t.actors.user();
    const wrong = await logIn(user.email, 'wrong').expect(401);
    const unknown = await logIn('nobody@example.com').expect(401);
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.body.error.code).toBe('INVALID_CREDENTIALS');
  });

  it('does the same work for an unknown address as for a known one', async () => {
    const { email } = await t.actors.user();
    const hashing = jest.spyOn(t.nest.get(PasswordHasher, { strict: false }), 'verify');
    await logIn(email, 'wrong').expect(401);
    await logIn('nobody-at-all@example.com', 'wrong').expect(401);
    expect(hashing.mock.calls).toEqual([
      [expect.any(String), 'wrong', undefined],
      [undefined, 'wrong', undefined],
    ]); // its unit test covers undefined
    hashing.mockRestore();
  });

  it('reports an unverified address or a disabled account only with the correct password', async () => {
    const unverified = await t.actors.user({ isEmailVerified: false });
    expect(await codeOf(logIn(unverified.email, 'wrong'), 401)).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(logIn(unverified.email), 400)).toBe('EMAIL_NOT_VERIFIED');
    const disabled = await t.actors.user({ disabledAt: new Date() });
    expect(await codeOf(logIn(disabled.email, 'wrong'), 401)).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(logIn(disabled.email), 403)).toBe('ACCOUNT_DISABLED');
  });

  it('fails for an account without a password', async () => {
    const user = await t.actors.user({ passwordHash: null });
    expect(await codeOf(logIn(user.email), 401)).toBe('INVALID_CREDENTIALS');
  });

  it('is limited after LOGIN_MAX_FAILURES, for that client address only, until the window ends', async () => {
    const { email } = await t.actors.user();
    for (let i = 0; i < 3; i++) expect(await codeOf(logIn(email, 'wrong'), 401)).toBe('INVALID_CREDENTIALS');
    const refused = await logIn(email).expect(429);
    expect(refused.body.error.code).toBe('TOO_MANY_ATTEMPTS');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(14 * MINUTE);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * MINUTE);
    await logIn(email, PASSWORD, '10.0.0.2').expect(200);
    const now = Date.now();
    // the counter library does not use the test clock
    const later = jest.spyOn(Date, 'now').mockReturnValue(now + 16 * MINUTE * 1000);
    await logIn(email).expect(200);
    later.mockRestore();
  });

  it('counts attempts before checking them, so that simultaneous attempts cannot exceed the limit', async () => {
    const { email } = await t.actors.user();
    const responses = await Promise.all(Array.from({ length: 12 }, () => logIn(email, 'wrong', '10.0.0.3')));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(9);
  });

  it('counts a whole IPv6 /64 as one address', async () => {
    const { email } = await t.actors.user();
    for (let i = 0; i < 3; i++) await logIn(email, 'wrong', `2001:db8:0:1::${i + 1}`).expect(401);
    await logIn(email, PASSWORD, '2001:db8:0:1:ffff::9').expect(429);
    await logIn(email, PASSWORD, '2001:db8:0:2::1').expect(200);
  });

  it('resets the failures after a correct password', async () => {
    const { email } = await t.actors.user();
    for (let round = 0; round < 3; round++) {
      await logIn(email, 'wrong').expect(401);
      await logIn(email, 'wrong').expect(401);
      await logIn(email).expect(200);
    }
  });

  it('replaces a stored hash that is weaker than the current parameters', async () => {
    const weak = await hash(PASSWORD, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    const user = await t.actors.user({ passwordHash: weak });
    await logIn(user.email).expect(200);
    const [{ password_hash: stored }] = await t.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = $1',
      [user.id],
    );
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await logIn(user.email).expect(200);
  });

  it('succeeds for several simultaneous sign-ins while the hash is replaced', async () => {
    const weak = await hash(PASSWORD, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    const user = await t.actors.user({ passwordHash: weak });
    const responses = await Promise.all([1, 2, 3].map(() => logIn(user.email)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is refused at once when the hash queue is full, while other requests are served', async () => {
    const { user, bearer } = await t.actors.signedInUser();
    const queue = t.nest.get(PasswordHasher, { strict: false })['queue'];
    let goOn!: () => void;
    const blocked = new Promise<void>((resolve) => (goOn = resolve));
    // more than the queue holds
    const waiting = Array.from({ length: 1000 }, () => queue.run({ key: '10.0.0.0/24' }, () => blocked));
    const refused = await logIn(user.email).expect(503);
    expect(refused.body.error.code).toBe('UNAVAILABLE');
    expect(refused.headers['retry-after']).toBe('2');
    await t.api
      .post('/auth/register')
      .set('X-Forwarded-For', '10.0.0.1')
      .send({ email: 'busy@example.com', password: PASSWORD, name: 'B' })
      .expect(503);
    await t.api.get('/auth/me').set(bearer).expect(200);
    goOn();
    await Promise.all(waiting);
    for (let i = 0; i < 4; i++) await logIn(user.email).expect(200); // refused attempts were not counted as failures
  });
});
