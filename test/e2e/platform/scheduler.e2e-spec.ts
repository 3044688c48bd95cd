import { SchedulerRegistry } from '@nestjs/schedule';
import { Log } from '../../../src/platform/observability/log';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

/** The scheduled jobs with their cron expressions. */
const SCHEDULES = {
  'complete-factor-resets': '*/10 * * * *',
  'create-audit-partitions': '17 2 * * *',
  'delete-due-accounts': '*/10 * * * *',
  'fold-row-counts': '*/5 * * * *',
  'purge-audit-partitions': '29 2 * * *',
  'purge-billing-days': '43 4 * * *',
  'purge-dead-jobs': '59 3 * * *',
  'purge-email-changes': '31 4 * * *',
  'purge-expired': '23 3 * * *',
  'purge-factor-resets': '37 4 * * *',
  'purge-idempotency-keys': '13 * * * *',
  'purge-invitations': '41 3 * * *',
  'purge-job-counts': '53 3 * * *',
  'purge-keys': '29 3 * * *',
  'purge-mail-records': '53 3 * * *',
  'purge-notifications': '13 4 * * *',
  'purge-passkey-challenges': '47 * * * *',
  'purge-unverified': '53 3 * * *',
  'purge-webhook-events': '7 4 * * *',
  'purge-webhook-messages': '41 3 * * *',
  'record-billing-day': '57 * * * *',
  'refresh-price-amounts': '47 * * * *',
  'remind-of-account-deletions': '23 * * * *',
  'remind-of-sign-in-policies': '17 * * * *',
  'remind-of-trial-ends': '23 * * * *',
  'sync-subscriptions': '11 */3 * * *',
};

const SLEEPING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'
  AND query LIKE 'INSERT INTO schedule_ticks%'`;

/** Every job gets a number from a sequence. */
const LAST_JOB = `SELECT pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) AS n`;

/** Milliseconds in which both instances have their tick, on a busy machine too. */
const A_ROUND_MS = 8000;

describe('A scheduled job', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const env = { SUBSCRIPTION_SYNC_CRON: SCHEDULES['sync-subscriptions'] };
    t = await TestApp.start({ schedules: true, processor: true, env });
    other = await TestApp.start({ schedules: true, processor: true, beside: t, env });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const schedulesOf = (app: TestApp) => app.nest.get(SchedulerRegistry).getCronJobs();
  /** Leaves the ticks to the test: the clock may start a schedule at any minute. */
  const stopClock = async () => {
    for (const app of [t, other]) for (const job of schedulesOf(app).values()) await job.stop();
  };
  const tick = (app: TestApp, name: string) => app.nest.get(SchedulerRegistry).getCronJob(name).fireOnTick();
  /** Milliseconds until the schedule is due. A tick is named by the time of the next one. */
  const untilDue = (name: string) => t.nest.get(SchedulerRegistry).getCronJob(name).nextDate().diffNow().toMillis();
  const untilWorked = () =>
    eventually(
      async () => (await t.database.query('SELECT FROM graphile_worker._private_jobs')).length === 0 || undefined,
      'an empty queue',
    );

  it('is registered, the sync with the schedule of its setting, and none with WORKER=off', async () => {
    const expressions = Object.fromEntries(
      [...schedulesOf(t)].map(([name, job]) => [name, String(job.cronTime.source)]),
    );
    expect(expressions).toMatchObject(SCHEDULES);
    expect([...schedulesOf(t).values()].every(({ isActive }) => isActive)).toBe(true);
    const off = await TestApp.start({ schedules: true, beside: t, env: { WORKER: 'off' } });
    expect(schedulesOf(off).size).toBe(0);
    await off.close();
  });

  it('is the sync only if Stripe is set up', async () => {
    const without = await TestApp.start({ schedules: true, beside: t });
    const names = [...schedulesOf(t).keys()].filter((name) => name !== 'sync-subscriptions');
    expect([...schedulesOf(without).keys()].sort()).toEqual(names.sort());
    await without.close();
  });

  // this one is no job: it runs in the transaction of its tick
  const jobs = Object.keys(SCHEDULES).filter((name) => name !== 'fold-row-counts');
  it.each(jobs)(
    'runs once on two instances whose clocks are 300 ms apart, and again at the next tick: %s',
    async (name) => {
      await stopClock();
      await eventually(() => untilDue(name) > A_ROUND_MS || undefined, 'a round within one tick');
      const done = async () => (await t.database.query<{ n: string }>(LAST_JOB))[0].n;
      await tick(t, name);
      await eventually(
        async () =>
          (await t.database.query('SELECT FROM schedule_ticks WHERE schedule = $1', [name])).length === 1 || undefined,
        'it',
      );
      await untilWorked();
      const once = await done();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tick(other, name);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await untilWorked();
      expect(await done()).toBe(once);
      await t.database.query(`UPDATE schedule_ticks SET tick = tick - interval '40 days' WHERE schedule = $1`, [name]);
      await t.database.query(`UPDATE sync_runs SET slot = slot - interval '40 days'`); // which the tick names too
      await tick(other, name);
      await eventually(async () => (await done()) !== once || undefined, 'the next tick');
      await untilWorked();
      // old ticks are deleted
      expect(await t.database.query('SELECT FROM schedule_ticks WHERE schedule = $1', [name])).toHaveLength(1);
    },
  );

  it('is started by the clock', async () => {
    const soon = await TestApp.start({
      schedules: true,
      processor: true,
      env: { SUBSCRIPTION_SYNC_CRON: '* * * * * *' },
    });
    const runs = () => soon.database.query('SELECT FROM sync_runs WHERE finished_at IS NOT NULL');
    await eventually(async () => (await runs()).length >= 2 || undefined, 'two runs');
    await soon.close();
  });

  it('is left to the instance that has claimed it, even if that takes longer than the others wait', async () => {
    await t.database.query('DELETE FROM schedule_ticks');
    const errors = jest.spyOn(t.nest.get(Log), 'error');
    const at = t.nest.get(SchedulerRegistry).getCronJob('purge-expired').nextDate().toISO();
    const claimed = t.database.query(
      `INSERT INTO schedule_ticks VALUES ('purge-expired', '${at}'); SELECT pg_sleep(3)`,
    );
    const asked = jest.spyOn(t.nest.get(UnitOfWork), 'query');
    await eventually(async () => (await t.database.query(SLEEPING)).length === 1 || undefined, 'the other claim');
    await tick(t, 'purge-expired');
    await claimed;
    // the clock may start another schedule in the meantime
    const claims = asked.mock.results.filter((_, call) => asked.mock.calls[call][1][0] === 'purge-expired');
    const outcomes = await Promise.allSettled(claims.map(({ value }) => value as Promise<unknown>));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('lock timeout') }) },
    ]);
    expect(errors).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('is not lost if the instance that claimed a tick fails, because its claim is rolled back', async () => {
    const failing = jest.spyOn(t.nest.get(UnitOfWork), 'write');
    failing.mockRejectedValue(new Error('no database'));
    await t.database.query('DELETE FROM schedule_ticks');
    await tick(t, 'purge-expired');
    await eventually(() => failing.mock.calls.some(([sql]) => sql.includes('add_job')) || undefined, 'the failure');
    failing.mockRestore();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await t.database.query('SELECT FROM schedule_ticks')).toEqual([]);
    await tick(other, 'purge-expired');
    await eventually(
      async () => (await t.database.query('SELECT FROM schedule_ticks')).length === 1 || undefined,
      'the other instance',
    );
    await untilWorked();
  });
});
