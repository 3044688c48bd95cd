import { setTimeout as pause } from 'node:timers/promises';
import { TcpProxy } from '../../../dev/tcp-proxy';
import { TestApp } from '../../support/app';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { Mailbox } from '../../support/mailbox';

/** Milliseconds in which whoever holds a job without working on it returns it. */
const RETURNED_MS = 15_000;
const ALL_DONE_MS = 60_000;
/** Milliseconds that each message to the mail server takes: an email takes longer than 15 s. */
const SLOW_MS = 2500;

describe('A job that is locked by a worker', () => {
  let [t, database, line, mailbox, mail] = [] as unknown as [TestApp, TestDatabase, TcpProxy, Mailbox, TcpProxy];

  beforeAll(async () => {
    database = await TestDatabase.create();
    mailbox = new Mailbox();
    await mailbox.start();
    [line, mail] = await Promise.all([TcpProxy.start(database.url), TcpProxy.start(mailbox.smtpUrl)]);
    t = await TestApp.start({ env: { DATABASE_URL: line.url, SMTP_URL: mail.url } });
  });
  afterAll(async () => {
    await t.close();
    await Promise.all([line.close(), mail.close(), mailbox.stop()]);
    await database.drop();
  });

  const isEmpty = async () => (await database.query('SELECT FROM graphile_worker._private_jobs')).length === 0;

  it('is run again within 15 seconds if the worker never learned that it has it', async () => {
    const job = JSON.stringify({ command: {}, requestId: 'lost-answer' });
    line.breaksBefore = 'lost-answer';
    await database.query(`SELECT graphile_worker.add_job('purge-mail-records', $1::json)`, [job]);
    const locked = `SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL`;
    await eventually(async () => (await database.query(locked))[0], 'a locked job');
    line.breaksBefore = undefined;
    await t.api.get('/health/ready').expect(200);
    await eventually(async () => (await isEmpty()) || undefined, 'the job to be done', RETURNED_MS);
    expect(t.logLines.filter((text) => text.includes('worker.jobs_returned'))).toHaveLength(1);
    expect(t.logLines.join('\n')).not.toContain('worker.ended');
  }, 60_000);

  it('stays locked as long as the worker works on it', async () => {
    mail.delayMs = SLOW_MS;
    const email = 'slow@example.com';
    await t.api.post('/auth/register').send({ email, password: 'correct horse battery', name: 'A' }).expect(201);
    await pause(RETURNED_MS);
    const [job] = await database.query('SELECT attempts, locked_by FROM graphile_worker._private_jobs');
    expect(job).toEqual({ attempts: 1, locked_by: expect.any(String) });
    mail.delayMs = 0;
    await eventually(async () => (await isEmpty()) || undefined, 'an empty queue', ALL_DONE_MS);
    expect(mailbox.to(email)).toHaveLength(1);
  }, 60_000);

  it('is forgotten if another one replaced it by its key, and it fails', async () => {
    mail.delayMs = 500;
    const email = 'replaced@example.com';
    const register = () =>
      t.api.post('/auth/register').send({ email, password: 'correct horse battery', name: 'A' }).expect(201);
    await register();
    const rows = (where: string) => database.query(`SELECT FROM graphile_worker._private_jobs WHERE ${where}`);
    await eventually(async () => (await rows('locked_at IS NOT NULL'))[0], 'a running job');
    await database.query(
      `SELECT graphile_worker.add_job('send-link-mail', payload, job_key => key, run_at => now() + interval '1 hour')
         FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL`,
    );
    mail.resets = true;
    await eventually(async () => (await rows('last_error IS NOT NULL'))[0], 'a failed job');
    await eventually(async () => (await rows('true')).length === 1 || undefined, 'the replacement', RETURNED_MS);
    expect(await rows('attempts = 0 AND key IS NOT NULL')).toHaveLength(1);
    mail.resets = false;
  }, 60_000);
});
