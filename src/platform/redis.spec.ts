import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from './redis';
import { createLog } from './observability/log';

describe('A command of Redis', () => {
  let redis: Redis;
  beforeEach(async () => {
    redis = await Redis.open({ redisUrl: undefined }, createLog({ level: 'silent', pretty: false }));
  });

  it('is answered although this process was busy when the answer arrived', async () => {
    const answer = redis.ask(() => promisify(execFile)('sleep', ['0.1']).then(() => 'answer'));
    await new Promise(setImmediate);
    const end = performance.now() + 800;
    while (performance.now() < end);
    expect(await answer).toBe('answer');
    expect(await redis.ask(() => Promise.resolve('next'))).toBe('next');
  });

  it('is given up if there is no answer, and the next ones are not sent for a while', async () => {
    const never = () => new Promise<never>(() => undefined);
    await expect(redis.ask(never)).rejects.toThrow('Redis does not respond');
    const next = jest.fn();
    await expect(redis.ask(next)).rejects.toThrow('Redis did not respond recently');
    expect(next).not.toHaveBeenCalled();
  });
});
