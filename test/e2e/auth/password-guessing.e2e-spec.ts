import { MINUTE } from '../../../src/platform/clock';
import { FairQueue, type Turn } from '../../../src/platform/fair-queue';
import { PasswordHasher } from '../../../src/users/domain/password-hasher';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

/** Enough time for 140 simultaneous requests on a busy machine. */
const PATIENCE_MS = 25_000;

describe('password guessing', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { TRUST_PROXY: 'true' } });
  });
  afterAll(() => t.close());

  let addresses = 0;
  const elsewhere = () => `10.${Math.floor(++addresses / 250)}.${addresses % 250}.1`;
  const logIn = (email: string, password = PASSWORD, from = elsewhere(), cookie = '') =>
    t.api.post('/auth/login').set('X-Forwarded-For', from).set('Cookie', cookie).send({ email, password });
  const statuses = async (attempts: Iterable<ReturnType<typeof logIn>>) =>
    (await Promise.all(attempts)).map(({ status }) => status);
  const count = (all: number[], status: number) => all.filter((one) => one === status).length;
  const deviceOf = ({ headers }: { headers: Record<string, unknown> }) =>
    (headers['set-cookie'] as string[]).find((line) => line.startsWith('device='))!.split(';')[0];
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec((await t.http.get('/metrics').expect(200)).text)?.[1] ?? 0);

  it('of one account from many addresses delays unknown devices, longer each time, but not known ones', async () => {
    const { email } = await t.actors.user();
    const device = deviceOf(await logIn(email).expect(200));
    const first = await statuses(Array.from({ length: 60 }, () => logIn(email, 'wrong')));
    expect(count(first, 401)).toBeGreaterThanOrEqual(51); // the 51st starts the first pause, of one second
    expect(count(first, 401)).toBeLessThan(55);
    expect(count(first, 401) + count(first, 429)).toBe(60);
    for (let i = 0; i < 6; i++) {
      t.clock.advance(15 * MINUTE);
      await logIn(email, 'wrong').expect(401);
    }
    let before = 0;
    for (let i = 0; i < 3; i++) {
      const { headers, body } = await logIn(email).expect(429);
      expect(body.error.code).toBe('TOO_MANY_ATTEMPTS');
      const wait = Number(headers['retry-after']);
      expect(wait).toBeGreaterThan(before * 1.5);
      before = wait;
      t.clock.advance(wait);
      await logIn(email, 'wrong').expect(401);
    }
    await logIn(email).expect(429);
    await logIn(email, PASSWORD, elsewhere(), device).expect(200);
    expect(await metric('rate_limited_total\\{kind="login-account"\\}')).toBeGreaterThanOrEqual(4);
  });

  it('never causes a wait of more than 15 minutes', async () => {
    const { email } = await t.actors.user();
    await statuses(Array.from({ length: 51 }, () => logIn(email, 'wrong')));
    for (let i = 0; i < 12; i++) {
      t.clock.advance(15 * MINUTE);
      await logIn(email, 'wrong').expect(401);
    }
    const { headers } = await logIn(email).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(14 * MINUTE);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15 * MINUTE);
    t.clock.advance(15 * MINUTE);
    await logIn(email).expect(200);
  });

  it('of an unknown address gets the same responses', async () => {
    const responses = await statuses(Array.from({ length: 60 }, () => logIn('nobody@example.com', 'wrong')));
    expect(count(responses, 401)).toBeLessThan(55);
    expect(count(responses, 401) + count(responses, 429)).toBe(60);
  });

  it('of many accounts makes the client address wait, but no other address and no known device behind it', async () => {
    const from = elsewhere();
    const users = await Promise.all(Array.from({ length: 22 }, () => t.actors.user()));
    const device = deviceOf(await logIn(users[21].email, PASSWORD, from).expect(200));
    const responses = await statuses(users.slice(0, 21).map(({ email }) => logIn(email, 'wrong', from)));
    expect([count(responses, 401), count(responses, 429)]).toEqual([20, 1]);
    for (const { email } of users.slice(19)) {
      const { headers } = await logIn(email, PASSWORD, from).expect(429);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10 * MINUTE);
    }
    await logIn(users[20].email).expect(200);
    await logIn(users[21].email, PASSWORD, from, device).expect(200);
    expect(await metric('login_failures_total')).toBeGreaterThan(20);
  });

  it('limits do not affect many correct sign-ins from one address or of one account', async () => {
    const from = elsewhere();
    const users = await Promise.all(Array.from({ length: 40 }, () => t.actors.user()));
    expect(count(await statuses(users.map(({ email }) => logIn(email, PASSWORD, from))), 200)).toBe(40);
    expect(count(await statuses(Array.from({ length: 30 }, () => logIn(users[0].email, PASSWORD, from))), 200)).toBe(
      30,
    );
  });

  it('does not lock out a known device behind the same address', async () => {
    const { email } = await t.actors.user();
    const from = elsewhere();
    const device = deviceOf(await logIn(email, PASSWORD, from).expect(200));
    for (let i = 0; i < 10; i++) await logIn(email, 'wrong', from).expect(401);
    await logIn(email, PASSWORD, from).expect(429);
    await logIn(email, PASSWORD, from, device).expect(200);
    for (let i = 0; i < 10; i++) await logIn(email, 'wrong', from, device).expect(401);
    await logIn(email, PASSWORD, from, device).expect(429); // and the known device has the same limit of its own
  });

  it('with a forged client address is not counted under it, and no forged address is stored', async () => {
    const { email } = await t.actors.user();
    const madeUp = () => `<script>${'x'.repeat(2000)}${Math.random()}`;
    for (let i = 0; i < 10; i++) await logIn(email, 'wrong', madeUp()).expect(401);
    await logIn(email, PASSWORD, madeUp()).expect(429);
    const other = await t.actors.user();
    await logIn(other.email, PASSWORD, madeUp()).expect(200);
    expect(await t.database.query('SELECT ip FROM sessions WHERE user_id = $1', [other.id])).toEqual([
      { ip: expect.stringMatching(/127\.0\.0\.1$/) },
    ]);
  });

  describe('while the hash queue is busy', () => {
    /** Work in the hash queue that the test finishes one by one. */
    const occupy = (keys: string[]) => {
      const queue: FairQueue = t.nest.get(PasswordHasher, { strict: false })['queue'];
      const ends: (() => void)[] = [];
      const work = keys.map((key) => queue.run({ key }, () => new Promise<void>((resolve) => ends.push(resolve))));
      const endSome = async (several: number) => {
        for (let i = 0; i < several; i++) (await eventually(() => ends.shift(), 'work in the queue'))();
      };
      const endAll = async () => {
        const all = Promise.all(work).then(() => true);
        while (!(await Promise.race([all, new Promise<false>((resolve) => setTimeout(() => resolve(false), 5))])))
          for (const end of ends.splice(0)) end();
      };
      return { endSome, endAll };
    };

    it('a sign-in from another address is served after two hashes of a busy address', async () => {
      const { email } = await t.actors.user();
      const { endSome, endAll } = occupy(Array(140).fill('192.0.2.1'));
      const response = logIn(email).then(({ status }) => status);
      await new Promise((resolve) => setTimeout(resolve, 500)); // until it is queued
      await endSome(2);
      expect(await response).toBe(200);
      await endAll();
    });

    it('a sign-in overtakes 140 simultaneous ones from another address, because no other queue delays it', async () => {
      const queue: FairQueue = t.nest.get(PasswordHasher, { strict: false })['queue'];
      const run = queue.run.bind(queue);
      const entered: string[] = [];
      const begun: { key: string; end: () => void }[] = [];
      const spy = jest.spyOn(queue, 'run').mockImplementation((turn, work) => {
        const key = turn.within ?? turn.key;
        entered.push(key);
        return run(turn, () => new Promise<void>((end) => begun.push({ key, end })).then(work));
      });
      const { email } = await t.actors.user();
      const [crowd, other] = [elsewhere(), elsewhere()];
      const responses = statuses(
        Array.from({ length: 140 }, (_, i) => logIn(`stranger${i}@example.com`, 'wrong', crowd)),
      );
      await eventually(
        () => entered.length === 20,
        'as many of the crowd as one address may have under way',
        PATIENCE_MS,
      );
      const response = logIn(email, PASSWORD, other).then(({ status }) => status);
      await eventually(() => entered.includes(other), 'the other in the queue', PATIENCE_MS);
      for (const { end } of begun.splice(0, 2)) end();
      await eventually(() => begun.some(({ key }) => key === other), 'its turn after two hashes', PATIENCE_MS);
      const goOn = setInterval(() => begun.splice(0).forEach(({ end }) => end()), 5);
      expect(await response).toBe(200);
      // refused attempts cost no hash
      expect([count(await responses, 401), count(await responses, 429)]).toEqual([20, 120]);
      clearInterval(goOn);
      spy.mockRestore();
    });

    it('an attack from many networks keeps neither unknown nor known devices out', async () => {
      const { email } = await t.actors.user();
      const device = deviceOf(await logIn(email).expect(200));
      const { endSome, endAll } = occupy(Array.from({ length: 1000 }, (_, i) => `198.51.${i}.0/24`));
      const unknown = logIn(email).then(({ status }) => status);
      const known = logIn(email, PASSWORD, elsewhere(), device).then(({ status }) => status);
      await new Promise((resolve) => setTimeout(resolve, 500)); // until they are queued
      await endSome(2);
      expect(await known).toBe(200);
      await endAll();
      expect(await unknown).toBe(200);
    });

    it('a sign-in from the network of the attack is refused, except on a known device', async () => {
      const { email } = await t.actors.user();
      const device = deviceOf(await logIn(email).expect(200));
      const { endSome, endAll } = occupy(Array<string>(1000).fill('198.51.100.0/24'));
      await logIn(email, PASSWORD, '198.51.100.7').expect(503);
      const known = logIn(email, PASSWORD, '198.51.100.8', device).then(({ status }) => status);
      await new Promise((resolve) => setTimeout(resolve, 500)); // until it is queued
      await endSome(2);
      expect(await known).toBe(200);
      await endAll();
    });
  });

  it('gains no advantage from many known devices of one account, because they share one lane', async () => {
    const [attacker, victim] = [await t.actors.user(), await t.actors.user()];
    const devices: string[] = [];
    for (let i = 0; i < 30; i++) devices.push(deviceOf(await logIn(attacker.email).expect(200)));
    expect(new Set(devices).size).toBe(30);
    const device = deviceOf(await logIn(victim.email).expect(200));
    const asked: string[] = [];
    const begun: string[] = [];
    let begunWhenAsked = 0;
    const run = FairQueue.prototype.run;
    const spy = jest.spyOn(FairQueue.prototype, 'run').mockImplementation(function <T>(
      this: FairQueue,
      turn: Turn,
      work: () => Promise<T>,
    ) {
      asked.push(turn.key);
      if (turn.key === victim.id) begunWhenAsked = begun.length;
      return run.call(this, turn, () => {
        begun.push(turn.key);
        return work();
      });
    });
    const crowd = statuses(devices.map((one) => logIn(attacker.email, PASSWORD, elsewhere(), one)));
    await eventually(() => asked.length > 5 || undefined, 'the crowd');
    await logIn(victim.email, PASSWORD, elsewhere(), device).expect(200);
    expect(new Set(await crowd)).toEqual(new Set([200]));
    spy.mockRestore();
    expect(new Set(asked)).toEqual(new Set([attacker.id, victim.id]));
    expect(begun.indexOf(victim.id) - begunWhenAsked).toBeLessThanOrEqual(2);
  });
});
