import { CommandBus } from '@nestjs/cqrs';
import { PurgeJobCounts } from '../../../src/admin/commands/purge-job-counts';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { Database } from '../../../src/platform/database/database';
import { JobCounts } from '../../../src/platform/jobs/job-counts';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { untilNoJobIsLeft } from '../../support/job-queue';

interface Rates {
  readonly stepSeconds: number;
  readonly items: { readonly at: string; readonly done: number; readonly failed: number }[];
}

describe('job throughput for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
  });
  afterEach(() => t.database.query('DELETE FROM job_counts; DELETE FROM graphile_worker._private_jobs'));
  afterAll(() => t.close());

  const rates = async (query: object = {}): Promise<Rates> =>
    (await t.api.get('/admin/jobs/rates').query(query).set(admin.bearer).expect(200)).body.data;
  const counted = (minute: Date, done: number, failed: number, task = 'some-task') =>
    t.database.query(`INSERT INTO job_counts VALUES (date_trunc('minute', $1::timestamptz), $2, $3, $4)`, [
      minute,
      task,
      done,
      failed,
    ]);
  const stored = () =>
    t.database.query<{ task: string; done: number; failed: number }>(
      'SELECT task, sum(done)::int AS done, sum(failed)::int AS failed FROM job_counts GROUP BY task ORDER BY task',
    );
  const mail = () => t.nest.get(Jobs).enqueue(new SendLinkMail('nobody@example.com', 'magic-link'));
  const untilWorked = (worker: TestApp, count: number) =>
    eventually(async () => {
      await worker.nest.get(JobCounts).flush();
      const [row] = await stored();
      return row && row.done + row.failed >= count ? row : undefined;
    }, `${count} finished attempts`);

  it('is zero without jobs, in whole intervals, oldest first, the last being the current one', async () => {
    for (const [hours, stepSeconds, count] of [
      [1, 60, 60],
      [5, 300, 60],
      [24, 900, 96],
      [25, 1800, 50],
      [97, 7200, 49],
      [168, 7200, 84],
    ]) {
      const { items, ...rest } = await rates({ hours });
      expect([rest, items.length]).toEqual([{ stepSeconds }, count]);
      const starts = items.map(({ at }) => Date.parse(at) / 1000);
      expect(
        starts.every((start, index) => start % stepSeconds === 0 && start === starts[0] + index * stepSeconds),
      ).toBe(true);
      const now = t.clock.nowInSeconds();
      expect(now - starts.at(-1)!).toBeLessThan(stepSeconds + 5);
      expect(starts.at(-1)!).toBeLessThanOrEqual(now);
      expect(items.every(({ done, failed }) => done === 0 && failed === 0)).toBe(true);
    }
    expect((await rates()).stepSeconds).toBe(900);
  });

  it('sums all minutes and tasks of an interval, and nothing older', async () => {
    const { items } = await rates({ hours: 24 });
    const at = (index: number, minutes: number) => new Date(Date.parse(items[index].at) + minutes * 60_000);
    await counted(at(0, -1), 1000, 1000); // in the interval before the first
    await counted(at(0, 0), 1, 0);
    await counted(at(50, 0), 2, 1);
    await counted(at(50, 14), 3, 1);
    await counted(at(50, 14), 4, 0, 'another-task');
    const found = await rates({ hours: 24 });
    const withJobs = found.items.filter(({ done, failed }) => done + failed > 0);
    expect(withJobs.map(({ done, failed }) => [done, failed])).toEqual([
      [1, 0],
      [9, 2],
    ]);
    expect(Date.parse(withJobs[1].at) - Date.parse(withJobs[0].at)).toBe(50 * 900_000);
  });

  it('covers 1 to 168 hours', async () => {
    for (const hours of ['0', '169', '1.5', 'x', '-1']) {
      expect(codeOf(await t.api.get('/admin/jobs/rates').query({ hours }).set(admin.bearer).expect(400))).toBe(
        'VALIDATION_ERROR',
      );
    }
  });

  it('adds up the attempts of all workers, failed ones included', async () => {
    const worker = await TestApp.start({ beside: t });
    jest.spyOn(worker.nest.get(CommandBus), 'execute').mockRejectedValueOnce(new Error('the first attempt fails'));
    await mail();
    expect(await untilWorked(worker, 1)).toEqual({ task: 'send-link-mail', done: 0, failed: 1 });
    await t.database.query('DELETE FROM graphile_worker._private_jobs');
    await mail();
    expect(await untilWorked(worker, 2)).toMatchObject({ done: 1, failed: 1 });
    await worker.close();
    const other = await TestApp.start({ beside: t });
    await mail();
    await untilNoJobIsLeft(t);
    await other.close(); // writes its counts when it stops
    expect(await stored()).toEqual([{ task: 'send-link-mail', done: 2, failed: 1 }]);
    const { items } = await rates({ hours: 1 });
    expect(items.reduce((sum, { done }) => sum + done, 0)).toBe(2);
  });

  it('is kept for the next write if it cannot be stored, without failing any job', async () => {
    const worker = await TestApp.start({ beside: t });
    const counts = worker.nest.get(JobCounts);
    const database = worker.nest.get(Database);
    const really = database.query.bind(database);
    const query = jest
      .spyOn(database, 'query')
      .mockImplementation((sql, parameters) =>
        sql.includes('job_counts') ? Promise.reject(new Error('no database')) : really(sql, parameters),
      );
    await mail();
    await untilNoJobIsLeft(t);
    await counts.flush();
    await counts.flush();
    expect(await stored()).toEqual([]);
    query.mockRestore();
    expect(await untilWorked(worker, 1)).toEqual({ task: 'send-link-mail', done: 1, failed: 0 });
    await counts.flush(); // no new counts
    expect(await stored()).toMatchObject([{ done: 1 }]);
    await worker.close();
  });

  it('is purged after 8 days', async () => {
    const days = (count: number) => new Date(t.clock.now().getTime() - count * 86_400_000);
    for (const age of [7, 9, 30]) await counted(days(age), 1, 0, `of-${age}-days`);
    await t.nest.get(Jobs).enqueue(new PurgeJobCounts());
    const worker = await TestApp.start({ beside: t });
    await eventually(async () => (await stored()).length < 3 || undefined, 'the purge');
    await worker.close();
    expect((await stored()).map(({ task }) => task)).toEqual(['of-7-days', 'purge-job-counts']);
  });
});
