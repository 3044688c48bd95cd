import { Command, CommandHandler } from '@nestjs/cqrs';
import { Job, Jobs, type JobPayload } from '../../../src/platform/jobs/jobs';
import { ok, type Result } from '../../../src/platform/result';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

const greeted: object[] = [];

/** Version 1 had `name`; version 2 has `names`; version 3 has `names` and `language`. */
@Job('greet', 'database', {
  version: 3,
  upcast: {
    1: ({ name, ...others }) => ({ ...others, names: [name] }),
    2: (fields) => ({ ...fields, language: 'en' }),
  },
})
class Greet extends Command<Result> {
  constructor(
    readonly names: readonly string[],
    readonly language: string,
  ) {
    super();
  }
}
@CommandHandler(Greet)
class GreetHandler {
  execute(command: Greet) {
    greeted.push({ ...command, isCommand: command instanceof Greet });
    return Promise.resolve(ok());
  }
}

/** Its fields of version 1 cannot be converted. */
@Job('forget', 'database', { version: 2 })
class Forget extends Command<Result> {}
@CommandHandler(Forget)
class ForgetHandler {
  execute(command: Forget) {
    greeted.push(command);
    return Promise.resolve(ok());
  }
}

describe('A waiting job', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ providers: [GreetHandler, ForgetHandler], env: { LOG_LEVEL: 'fatal' } });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    greeted.splice(0);
    await t.database.query('DELETE FROM graphile_worker._private_jobs');
  });

  const enqueue = (task: string, payload: JobPayload) =>
    t.database.query('SELECT graphile_worker.add_job($1, payload => $2::json)', [task, JSON.stringify(payload)]);
  const failed = () =>
    eventually(async () => {
      const [job] = await t.database.query<{ attempts: number; left: number; error: string | null }>(
        `SELECT attempts, max_attempts - attempts AS left, last_error AS error FROM graphile_worker._private_jobs
          WHERE locked_at IS NULL AND last_error IS NOT NULL`,
      );
      return job;
    }, 'the failure');

  it.each<[string, JobPayload]>([
    ['without a version, as every earlier release stored it,', { command: { name: 'Ada' }, requestId: 'r' }],
    ['of version 1', { command: { name: 'Ada' }, requestId: 'r', version: 1 }],
    ['of version 2', { command: { names: ['Ada'] }, requestId: 'r', version: 2 }],
    ['of the current version', { command: { names: ['Ada'], language: 'en' }, requestId: 'r', version: 3 }],
  ])('%s runs with the current fields', async (_what, payload) => {
    await enqueue('greet', payload);
    await eventually(() => greeted[0], 'the job');
    expect(greeted).toEqual([{ names: ['Ada'], language: 'en', isCommand: true }]);
  });

  it('is stored with its version', async () => {
    const off = await TestApp.start({ providers: [GreetHandler], env: { WORKER: 'off' } });
    await off.nest.get(Jobs).enqueue(new Greet(['Ada'], 'fr'));
    const [{ payload }] = await off.database.query<{ payload: JobPayload }>(
      'SELECT payload FROM graphile_worker._private_jobs',
    );
    expect(payload).toEqual({
      command: { names: ['Ada'], language: 'fr' },
      requestId: expect.any(String),
      version: 3,
    });
    await off.close();
  });

  it('of a version that nothing converts is kept for operators and not tried again', async () => {
    await enqueue('forget', { command: { what: 1 }, requestId: 'r' });
    expect(await failed()).toEqual({
      attempts: 25,
      left: 0,
      error:
        "The job 'forget' has version 1, and nothing converts it to version 2. " +
        'Declare a conversion at its command, or delete the job.',
    });
    expect(greeted).toEqual([]);
  });

  it('of a newer version is tried again, so that an instance of the new release can run it', async () => {
    await enqueue('forget', { command: {}, requestId: 'r', version: 3 });
    expect(await failed()).toEqual({
      attempts: 1,
      left: 24,
      error: "The job 'forget' has version 3, and this instance knows version 2. A newer instance can run it.",
    });
    expect(greeted).toEqual([]);
  });
});
