import { IdentityProvider } from '../../../dev/identity-provider';
import { MINUTE } from '../../../src/platform/clock';
import { PASSWORD, bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Browser } from '../../support/browser';
import { eventually } from '../../support/eventually';
import { untilNoJobIsDue } from '../../support/job-queue';
import { someone } from '../../support/provider-users';

const STRANGERS = 'attacker knows this 1';
const STRANGER = '203.0.113.1';
const PERSON = '198.51.100.1';

/** A stranger may ask for emails to the address of another person, before and after that person. */
describe('A link that was delivered', () => {
  let t: TestApp;
  let serial = 0;
  beforeAll(async () => {
    t = await TestApp.start({
      env: { TRUST_PROXY: '1', LOG_LEVEL: 'fatal' },
      identityProvider: new IdentityProvider(),
    });
  });
  afterAll(() => t.close());

  const newAddress = () => `person${++serial}@example.test`;
  const from = (ip: string, path: string, body: object, app = t) =>
    app.api.post(path).set('X-Forwarded-For', ip).send(body);
  const register = (ip: string, email: string, password: string, app = t) =>
    from(ip, '/auth/register', { email, password, name: 'Somebody' }, app).expect(201);
  const registerTimes = async (times: number, email: string) => {
    for (let n = 0; n < times; n++) await register(STRANGER, email, `${STRANGERS}${n}`);
    await untilNoJobIsDue(t);
  };
  const verify = (token: string) => t.api.get('/auth/verify-email').query({ token });
  const logIn = (email: string, password: string) => t.api.post('/auth/login').send({ email, password });
  const tokenOf = (text: string) => /token=([\w-]+)/.exec(text)![1];

  it('of a registration stays valid when a stranger registers the address any number of times', async () => {
    const email = newAddress();
    await register(PERSON, email, PASSWORD);
    const token = await t.mailbox.token(email);
    for (let minute = 0; minute < 4; minute++) {
      await registerTimes(3, email);
      t.clock.advance(MINUTE);
    }
    expect(t.mailbox.to(email).length).toBeGreaterThan(3);
    await verify(token).expect(200);
    await logIn(email, PASSWORD).expect(200);
    await logIn(email, `${STRANGERS}2`).expect(401);
  });

  it('of a registration does not wait for the emails of a stranger who registered the address before', async () => {
    const email = newAddress();
    await registerTimes(6, email);
    expect(t.mailbox.to(email)).toHaveLength(3);
    await register(PERSON, email, PASSWORD);
    const token = tokenOf((await t.mailbox.last(email, 4)).text);
    await registerTimes(3, email);
    expect(t.mailbox.to(email)).toHaveLength(4);
    await verify(token).expect(200);
    await logIn(email, PASSWORD).expect(200);
  });

  it('is not sent beyond twice the limit of a recipient, from however many networks', async () => {
    const email = newAddress();
    for (let n = 1; n <= 12; n++) await register(`198.51.${n}.1`, email, `${PASSWORD}${n}`);
    await untilNoJobIsDue(t);
    expect(t.mailbox.to(email)).toHaveLength(6);
  });

  it('is found after an outage of the mail server by a person whose address a stranger registered', async () => {
    const idle = await TestApp.start({ env: { TRUST_PROXY: '1', WORKER: 'off' } });
    const email = newAddress();
    await register(PERSON, email, PASSWORD, idle);
    for (let n = 0; n < 6; n++) await register(STRANGER, email, `${STRANGERS}${n}`, idle);
    const kept = await idle.database.query<{ count: number }>(
      `SELECT count(*)::int FROM registrations GROUP BY cause ORDER BY 1`,
    );
    expect(kept).toEqual([{ count: 1 }, { count: 3 }]);
    await idle.close();
  });

  it.each([
    [
      'signs in',
      '/auth/magic-link/request',
      (token: string) => t.api.get('/auth/magic-link/verify').query({ token }).redirects(0),
      302,
    ],
    [
      'resets the password',
      '/auth/password/forgot',
      (token: string) => t.api.post('/auth/password/reset').send({ token, password: 'a wholly new one' }),
      200,
    ],
  ] as const)('and that %s stays valid when a stranger asks for more', async (_what, path, use, status) => {
    const { email } = await t.actors.user();
    await from(PERSON, path, { email }).expect(200);
    const token = await t.mailbox.token(email);
    for (let minute = 0; minute < 4; minute++) {
      for (let n = 0; n < 2; n++) await from(STRANGER, path, { email }).expect(200);
      await untilNoJobIsDue(t);
      t.clock.advance(MINUTE);
    }
    expect(t.mailbox.to(email).length).toBeGreaterThan(3);
    await use(token).expect(status);
  });

  describe('with a code', () => {
    /** A user who has neither a password nor a factor, and proves the identity by emailed codes. */
    const withCodes = async () => {
      const account = someone();
      const own = bearer((await new Browser(t).signIn('google', account)).accessToken);
      const request = () => t.api.post('/auth/step-up/email').set(own).expect(200);
      const code = async (count: number) => /\b(\d{6})\b/.exec((await t.mailbox.last(account.email!, count)).text)![1];
      const prove = (emailCode: string) => t.api.post('/auth/step-up').set(own).send({ emailCode });
      return { request, code, prove };
    };

    it('is replaced by another one that was sent', async () => {
      const { request, code, prove } = await withCodes();
      await request();
      const first = await code(1);
      await request();
      const second = await code(2);
      await untilNoJobIsDue(t);
      await prove(first).expect(401);
      await prove(second).expect(200);
    });

    it('stays valid while the email with another one cannot be sent', async () => {
      const { request, code, prove } = await withCodes();
      await request();
      const first = await code(1);
      await t.mailbox.stop();
      await request();
      const failed = 'SELECT FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL';
      await eventually(async () => (await t.database.query(failed)).length > 0 || undefined, 'the failed email');
      await t.mailbox.start();
      await prove(first).expect(200);
    });
  });
});
