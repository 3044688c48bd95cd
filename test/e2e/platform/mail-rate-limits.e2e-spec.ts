import { randomUUID } from 'node:crypto';
import { PurgeMailRecords } from '../../../src/platform/mail/purge-mail-records';
import { CommandBus } from '@nestjs/cqrs';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { PASSWORD } from '../../support/actors';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { untilNoJobIsDue } from '../../support/job-queue';

describe('Mails to one recipient', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  /** Sends like the job does. Jobs in the queue run in real time. */
  const ask = (email: string, times: number) =>
    Promise.all(
      Array.from({ length: times }, () => t.nest.get(CommandBus).execute(new SendLinkMail(email, 'magic-link'))),
    );

  it('are limited to three at once, then 1 per minute, 6 per hour and 20 per day, even concurrently', async () => {
    const { email } = await t.actors.user();
    const received = () => t.mailbox.to(email).length;
    await ask(email, 10);
    await t.mailbox.last(email, 3); // a mail that was counted out of order is sent a moment later
    expect(received()).toBe(3);
    t.clock.advance(MINUTE);
    await ask(email, 10);
    expect(received()).toBe(4);
    for (let minute = 0; minute < 10; minute++) {
      t.clock.advance(MINUTE);
      await ask(email, 2);
    }
    expect(received()).toBe(6);
    for (let hour = 0; hour < 12; hour++) {
      t.clock.advance(HOUR);
      await ask(email, 4);
    }
    expect(received()).toBe(20);
    t.clock.advance(DAY);
    await ask(email, 1);
    expect(received()).toBe(21);
  });

  it('are counted separately for each purpose', async () => {
    const { email } = await t.actors.user();
    await ask(email, 3);
    await t.nest.get(CommandBus).execute(new SendLinkMail(email, 'password-reset'));
    await t.mailbox.last(email, 4); // one that was counted out of turn comes a moment later
  });

  it('are limited to 3 at once for 300 requests from 10 addresses, which all get the same response', async () => {
    const proxied = await TestApp.start({ env: { TRUST_PROXY: '1' } });
    const { email } = await proxied.actors.user();
    for (let round = 0; round < 30; round++) {
      const requests = Array.from({ length: 10 }, (_, n) =>
        proxied.api
          .post('/auth/magic-link/request')
          .set('X-Forwarded-For', `203.0.113.${n + 1}`)
          .send({ email })
          .expect(200),
      );
      for (const { body } of await Promise.all(requests)) expect(body).toEqual({ success: true, data: null });
    }
    await untilNoJobIsDue(proxied);
    expect(proxied.mailbox.to(email).length).toBeLessThanOrEqual(3);
    expect(proxied.mailbox.to(email).length).toBeGreaterThan(0);
    await proxied.close();
  }, 60_000);

  it.each([
    ['magic-link', '/auth/magic-link/request'],
    ['password-reset', '/auth/password/forgot'],
  ] as const)(
    '%s mails to a known device are sent after other clients have used up the daily limit, with their own limit',
    async (purpose, path) => {
      const [{ email }, stranger] = [await t.actors.user(), await t.actors.user()];
      const ofStrangers = () => t.nest.get(CommandBus).execute(new SendLinkMail(email, purpose));
      for (let n = 0; n < 24; n++) {
        if (n % 3 === 0) t.clock.advance(HOUR);
        await ofStrangers();
      }
      expect(t.mailbox.to(email)).toHaveLength(20);
      const ask = async (cookie: string) => {
        await t.api.post(path).set('Cookie', cookie).send({ email }).expect(200);
        await untilNoJobIsDue(t);
        return t.mailbox.to(email).length;
      };
      const forged = (await t.actors.knownDevice(email)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      for (const cookie of ['', await t.actors.knownDevice(stranger.email), forged]) expect(await ask(cookie)).toBe(20);
      const known = await t.actors.knownDevice(email);
      for (const count of [21, 22, 23, 23]) expect(await ask(known)).toBe(count);
    },
  );

  it('wait separately from mails that other clients request, which cannot replace them', async () => {
    const idle = await TestApp.start({ env: { WORKER: 'off' } });
    const [{ email }, stranger] = [await idle.actors.user(), await idle.actors.user()];
    const ask = (cookie: string) =>
      idle.api.post('/auth/password/forgot').set('Cookie', cookie).send({ email }).expect(200);
    await ask(await idle.actors.knownDevice(email));
    for (let times = 0; times < 2; times++)
      for (const cookie of ['', await idle.actors.knownDevice(stranger.email)]) await ask(cookie);
    const waiting = await idle.database.query<{ key: string }>('SELECT key FROM graphile_worker._private_jobs');
    expect(waiting).toHaveLength(3);
    await idle.close();
  });

  it('are not counted if the mail server did not accept them', async () => {
    const other = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
    const { email } = await other.actors.user();
    await other.mailbox.stop();
    const send = () => other.nest.get(CommandBus).execute(new SendLinkMail(email, 'magic-link'));
    for (let attempt = 0; attempt < 5; attempt++) await expect(send()).rejects.toThrow();
    await other.mailbox.start();
    for (let attempt = 0; attempt < 4; attempt++) await send();
    expect(other.mailbox.to(email)).toHaveLength(3);
    await other.close();
  });
});

describe('Mails to addresses that never signed in', () => {
  const started = async (ceiling: number) => {
    const env = { MAIL_NEW_RECIPIENTS_PER_HOUR: String(ceiling), LOG_LEVEL: 'warn', TRUST_PROXY: '1' };
    const t = await TestApp.start({ env });
    t.clock.advance(HOUR - ((t.clock.now().getTime() / 1000) % HOUR) + MINUTE); // one hour for the whole test
    return t;
  };
  const register = (t: TestApp, email: string, from: string) =>
    t.api
      .post('/auth/register')
      .set('X-Forwarded-For', from)
      .send({ email, password: PASSWORD, name: 'New' })
      .expect(201);
  const addresses = (count: number) => Array.from({ length: count }, () => `${randomUUID()}@example.com`);
  const registerAll = (t: TestApp, emails: readonly string[], from: string) =>
    Promise.all(emails.map((email) => register(t, email, from)));
  /** Seconds until the waiting mails are retried. */
  const waiting = async (t: TestApp) => {
    const sql = `SELECT extract(epoch FROM run_at - now())::float AS pause FROM graphile_worker._private_jobs
      WHERE run_at > now() + interval '1 second'`;
    return (await t.database.query<{ pause: number }>(sql)).map(({ pause }) => pause);
  };
  const events = (t: TestApp) =>
    t.logLines.map((line) => (JSON.parse(line) as { event?: string }).event).filter(Boolean);

  it('wait for the next hour above the limit, without delaying other mails, and are counted', async () => {
    const t = await started(2);
    for (let n = 1; n <= 3; n++) await register(t, `new${n}@example.com`, `203.0.${n}.1`);
    const [pause] = await eventually(
      async () => ((await waiting(t)).length === 1 ? waiting(t) : undefined),
      'a mail that waits',
    );
    await untilNoJobIsDue(t);
    expect(t.mailbox.mails).toHaveLength(2);
    expect(pause).toBeLessThanOrEqual(HOUR);
    expect(events(t)).toEqual(['mail.ceiling_reached']);
    const { email } = await t.actors.user();
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    await t.mailbox.last(email);
    const metrics = (await t.http.get('/metrics').expect(200)).text;
    expect(metrics).toContain('mails_total{purpose="verification",outcome="ceiling"} 1');
    expect(metrics).not.toContain('outcome="postponed"');
    expect(metrics).toContain('mails_total{purpose="magic-link",outcome="sent"} 1');
    await t.close();
  });

  it('leave half of the limit to others if two clients (one an IPv6 network) register invented addresses', async () => {
    const t = await started(20);
    const invented = addresses(24);
    const [first, second] = [invented.slice(0, 12), invented.slice(12)];
    await Promise.all([register(t, first[0], '203.0.113.1'), register(t, second[0], '2001:db8:0:1::1')]);
    // each client has its share before the first half of the limit is used
    for (const email of [first[0], second[0]]) await t.mailbox.last(email);
    await Promise.all([
      registerAll(t, first.slice(1), '203.0.113.1'),
      registerAll(t, second.slice(1), '2001:db8:0:1:2::2'),
    ]);
    await eventually(
      async () => ((await waiting(t)).length === 14 ? true : undefined),
      'the mails beyond their shares',
    );
    await untilNoJobIsDue(t);
    expect(t.mailbox.mails).toHaveLength(10);
    expect(new Set(events(t))).toEqual(new Set(['mail.share_used']));
    for (const pause of await waiting(t)) expect(pause).toBeGreaterThan(HOUR);
    expect((await t.http.get('/metrics')).text).toContain('mails_total{purpose="verification",outcome="share"} 14');
    const real = addresses(10);
    for (const [n, email] of real.entries()) await register(t, email, n % 2 ? `198.51.${n}.1` : `2001:db8:${n + 1}::1`);
    for (const email of real) await t.mailbox.last(email);
    expect(t.mailbox.mails).toHaveLength(20);
    await register(t, 'late@example.com', '198.51.99.1');
    await eventually(() => events(t).includes('mail.ceiling_reached') || undefined, 'the ceiling');
    await untilNoJobIsDue(t);
    expect(t.mailbox.to('late@example.com')).toHaveLength(0);
    const causes = await t.database.query<{ cause: string }>(`SELECT cause FROM mail_shares`);
    expect(JSON.stringify(causes)).not.toMatch(/203\.0|2001:db8/);
    await t.close();
  }, 60_000);

  it('are limited to a share per cause, also for concurrent requests', async () => {
    const t = await started(100);
    await t.database.query(`INSERT INTO mail_ceilings VALUES (date_trunc('hour', $1::timestamptz), 50)`, [
      t.clock.now(),
    ]);
    const ask = async (from: string, count: number) => {
      const users = await Promise.all(Array.from({ length: count }, () => t.actors.user({ isEmailVerified: false })));
      const mails = users.map(({ email }) => new SendLinkMail(email, 'verification', undefined, from));
      await Promise.all(mails.map((mail) => t.nest.get(CommandBus).execute(mail)));
      return users.filter(({ email }) => t.mailbox.to(email).length > 0).length;
    };
    expect(await Promise.all([ask('one', 10), ask('another', 10)])).toEqual([2, 2]);
    expect(await ask('one', 1)).toBe(0);
    expect(await ask('a third', 3)).toBe(2);
    // the last quarter is for those who have no mail in this hour yet
    await t.database.query('UPDATE mail_ceilings SET asked = 75');
    expect(await ask('a fourth', 2)).toBe(1);
    expect(await ask('a fifth', 1)).toBe(1);
    await t.close();
  }, 30_000);

  it('are counted by the inviting user for invitations', async () => {
    const t = await started(10);
    const [owner, other] = [await t.actors.owner(), await t.actors.owner()];
    const invite = (by: typeof owner, email: string) =>
      t.api.post('/tenants/current/invitations').set(by.bearer).send({ email }).expect(200);
    await Promise.all(addresses(8).map((email) => invite(owner, email)));
    await eventually(
      async () => ((await waiting(t)).length === 3 ? true : undefined),
      'the invitations beyond the share',
    );
    await untilNoJobIsDue(t);
    expect(t.mailbox.mails).toHaveLength(5);
    await invite(other, 'guest@example.com');
    await t.mailbox.last('guest@example.com');
    await t.close();
  }, 30_000);
});

describe('Records of the mail limits', () => {
  it('are purged when no limit needs them', async () => {
    const t = await TestApp.start();
    const { email } = await t.actors.user();
    const send = () => t.nest.get(CommandBus).execute(new SendLinkMail(email, 'magic-link'));
    const rows = () => t.database.query('SELECT FROM mail_allowances');
    await t.database.query(`INSERT INTO mail_shares VALUES (date_trunc('hour', $1::timestamptz), 'somebody', 1)`, [
      t.clock.now(),
    ]);
    const shares = () => t.database.query('SELECT FROM mail_shares');
    await send();
    await t.nest.get(CommandBus).execute(new PurgeMailRecords());
    expect([await rows(), await shares()]).toEqual([[{}], [{}]]);
    t.clock.advance(DAY + HOUR);
    await t.nest.get(CommandBus).execute(new PurgeMailRecords());
    expect([await rows(), await shares()]).toEqual([[], []]);
    await t.close();
  });

  it('are purged also if no mail was sent because there is no mail server', async () => {
    const t = await TestApp.start({ env: { LOG_LEVEL: 'fatal' } });
    const { email } = await t.actors.user();
    await t.mailbox.stop();
    await expect(t.nest.get(CommandBus).execute(new SendLinkMail(email, 'magic-link'))).rejects.toThrow();
    await t.mailbox.start();
    const rows = () => t.database.query<{ sent_at: Date[] }>('SELECT sent_at FROM mail_allowances');
    await t.nest.get(CommandBus).execute(new PurgeMailRecords());
    expect(await rows()).toEqual([{ sent_at: [] }]);
    t.clock.advance(DAY + 1);
    await t.nest.get(CommandBus).execute(new PurgeMailRecords());
    expect(await rows()).toEqual([]);
    await t.close();
  });
});
