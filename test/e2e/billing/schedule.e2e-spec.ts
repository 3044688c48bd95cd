import { SchedulerRegistry } from '@nestjs/schedule';
import { TestApp } from '../../support/app';

const EXPRESSION = '17 */3 * * *';

describe('the schedule of billing', () => {
  const syncIn = (app: TestApp) => {
    const jobs = app.nest.get(SchedulerRegistry).getCronJobs();
    return jobs.get('sync-subscriptions');
  };

  it('starts a sync according to SUBSCRIPTION_SYNC_CRON, and the run has the time of the next tick', async () => {
    const t = await TestApp.start({ schedules: true, processor: true, env: { SUBSCRIPTION_SYNC_CRON: EXPRESSION } });
    const job = syncIn(t)!;
    expect([job.cronTime.source, job.isActive]).toEqual([EXPRESSION, true]);
    await job.fireOnTick();
    const slot = job.nextDate().toJSDate();
    const runs = async () => t.database.query('SELECT FROM sync_runs WHERE slot = $1', [slot]);
    for (let round = 0; round < 100 && (await runs()).length === 0; round++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await runs()).toHaveLength(1);
    await t.close();
  });

  it('starts no sync in a process without a worker or without a Stripe key', async () => {
    const t = await TestApp.start({ schedules: true, processor: true, env: { WORKER: 'off' } });
    const without = await TestApp.start({ schedules: true, beside: t });
    expect([syncIn(t), syncIn(without)]).toEqual([undefined, undefined]);
    await without.close();
    await t.close();
  });
});
