import { CommandBus } from '@nestjs/cqrs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { SendSecurityMail } from '../../../src/auth/commands/send-security-mail';
import type { ReceiverFacts } from '../../../src/auth/mails/security.mail';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { newServiceKey } from '../../support/api-keys';
import { TestApp } from '../../support/app';
import { untilNoJobIsDue, untilNoJobIsLeft } from '../../support/job-queue';

const WEBHOOKS = '/tenants/current/webhooks';

const storedIn = async (t: TestApp) => (await t.database.query('SELECT FROM postponed_notices')).length;

describe('a change beyond the limit of emails', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  /** Moves the time of the limits, and that of the queue, which is real. */
  const later = async (seconds: number) => {
    t.clock.advance(seconds);
    await t.database.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');
    await untilNoJobIsLeft(t);
  };

  it('is reported a minute later to who did it and to the Owner: the fourth webhook endpoint in a row', async () => {
    const owner = await t.actors.owner({ tenantName: 'Engines' });
    const admin = await t.actors.member(owner, 'Admin');
    for (const host of ['one', 'two', 'three', 'four']) {
      const body = { url: `https://${host}.example/hooks?key=path-secret` };
      await t.api.post(WEBHOOKS).set(admin.bearer).send(body).expect(200);
      await untilNoJobIsDue(t);
    }
    const { email } = owner.user;
    for (const to of [admin.user.email, email])
      expect([to, t.mailbox.to(to).length, t.mailbox.to(to)[2].text.includes('three.example')]).toEqual([to, 3, true]);
    expect(await storedIn(t)).toBe(2);
    await later(MINUTE);
    const [own, others] = [t.mailbox.to(admin.user.email), t.mailbox.to(email)];
    expect([own.length, others.length, await storedIn(t)]).toEqual([4, 4, 0]);
    for (const mail of [own[3], others[3]]) {
      expect(mail.subject).toBe('A webhook endpoint of Engines was created');
      expect(mail.text).toContain('four.example');
      expect(mail.text).not.toContain('path-secret');
    }
    expect(own[3].text).toContain('secure-account#token=');
  });

  it('is reported with the others in one email: keys that are created and rotated', async () => {
    const owner = await t.actors.owner({ tenantName: 'Looms' });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await newServiceKey(t, owner, ['tenant.projects.read'])).id);
    for (const id of ids.slice(0, 2))
      await t.api.post(`/tenants/current/keys/${id}/rotate`).set(owner.bearer).send({ overlapHours: 1 }).expect(200);
    await untilNoJobIsDue(t);
    const mails = () => t.mailbox.to(owner.user.email);
    expect([mails().length, await storedIn(t)]).toEqual([3, 3]);
    await later(MINUTE);
    expect([mails().length, await storedIn(t)]).toEqual([4, 0]);
    expect(mails()[3].subject).toBe('A key was created in Looms (and 2 more)');
  });
});

describe('events whose emails were postponed', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ env: { LOG_LEVEL: 'fatal', WORKER: 'off' } });
  });
  afterAll(() => t.close());

  const execute = (command: SendSecurityMail) => t.nest.get(CommandBus).execute(command);
  const report = (userId: string) => execute(new SendSecurityMail(userId, 'receiver-changed', null, 'Engines'));
  const move = (userId: string, host: string) => {
    const changed = { tenantId: newId(), kind: 'A webhook endpoint', change: 'moved', host, by: userId } as const;
    const receiver: ReceiverFacts = changed;
    const facts = { at: t.clock.now().toISOString(), what: 'Engines', receiver };
    return execute(new SendSecurityMail(userId, 'receiver-changed', facts));
  };
  const moveAll = async (userId: string, count: number, host: string) => {
    for (let n = 0; n < count; n++) await move(userId, `${host}-${n}.example`);
  };
  const jobsFor = (userId: string) =>
    t.database.query(`SELECT FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1 || '%'`, [userId]);

  it('are reported by whichever email is sent next, so that new ones cannot keep them back', async () => {
    const { id, email } = await t.actors.user();
    await moveAll(id, 3, 'decoy');
    await move(id, 'real.example');
    await moveAll(id, 59, 'later');
    expect([t.mailbox.to(email).length, await storedIn(t)]).toEqual([3, 60]);
    t.clock.advance(MINUTE);
    await move(id, 'newest.example');
    const { subject, text } = t.mailbox.to(email)[3];
    expect(subject).toBe('A webhook endpoint of Engines was moved (and 60 more)');
    for (const listed of ['newest.example', 'real.example', 'later-48.example', 'And 10 more.'])
      expect(text).toContain(listed);
    expect(text).not.toContain('later-49.example');
    expect(await storedIn(t)).toBe(0);
    await report(id);
    expect(t.mailbox.to(email)).toHaveLength(4);
  });

  it('wait together, also if they happen at the same time, and no more emails are sent in a day', async () => {
    const { id, email } = await t.actors.user();
    await Promise.all(Array.from({ length: 10 }, (_, n) => move(id, `same-${n}.example`)));
    expect([t.mailbox.to(email).length, await storedIn(t), (await jobsFor(id)).length]).toEqual([3, 7, 1]);
    for (let hour = 0; hour < 12; hour++) {
      t.clock.advance(HOUR);
      await moveAll(id, 4, `hour-${hour}`);
    }
    expect(t.mailbox.to(email)).toHaveLength(20);
    t.clock.advance(DAY);
    await report(id);
    expect([t.mailbox.to(email).length, await storedIn(t)]).toEqual([21, 0]);
    const reported = t.mailbox
      .to(email)
      .map(({ text }) => text)
      .join();
    for (const host of ['same-9', 'hour-3-3', 'hour-11-3']) expect(reported).toContain(`${host}.example`);
  });

  it('are kept while the mail server is down, and until they are reported', async () => {
    const { id, email } = await t.actors.user();
    await moveAll(id, 4, 'host');
    await report(id); // the limit does not allow it yet
    expect((await jobsFor(id)).length).toBe(1);
    t.clock.advance(MINUTE);
    await t.mailbox.stop();
    await expect(report(id)).rejects.toThrow();
    expect(await storedIn(t)).toBe(1);
    await t.mailbox.start();
    await report(id);
    expect(t.mailbox.to(email).at(-1)!.text).toContain('host-3.example');
    expect(await storedIn(t)).toBe(0);
  });

  it('are deleted after 30 days if no email could report them, and with the account', async () => {
    const { id } = await t.actors.user();
    await moveAll(id, 4, 'host');
    t.clock.advance(29 * DAY);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    expect(await storedIn(t)).toBe(1);
    t.clock.advance(2 * DAY);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    expect(await storedIn(t)).toBe(0);
    await moveAll(id, 4, 'host');
    expect(await storedIn(t)).toBe(1);
    await t.database.query('DELETE FROM users WHERE id = $1', [id]);
    expect(await storedIn(t)).toBe(0);
    await report(id);
  });
});
