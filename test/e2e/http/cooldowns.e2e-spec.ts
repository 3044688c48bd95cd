import { RateLimitStores } from '../../../src/http/rate-limits/rate-limit-stores';
import { TestApp } from '../../support/app';
import { redisServer, TestRedis } from '../../support/redis';

(redisServer ? describe : describe.skip)('a pause of several instances', () => {
  let redis: TestRedis;
  let instances: TestApp[];
  beforeAll(async () => {
    redis = await TestRedis.start();
    const one = await TestApp.start({ env: { REDIS_URL: redis.url } });
    instances = [one, await TestApp.start({ beside: one, env: { REDIS_URL: redis.url } })];
  });
  afterAll(async () => {
    for (const t of [...instances].reverse()) await t.close();
    redis.stop();
  });

  const pauses = () => instances.map((t) => t.nest.get(RateLimitStores).createCooldowns('test'));

  it('is begun by one of those that begin it at the same moment, and the others are told how long it lasts', async () => {
    const [one, other] = pauses();
    const answers = await Promise.all([one, other, one, other].map((at) => at.begin('ada', 60)));
    const left = answers.filter((seconds) => seconds > 0);
    expect(left).toHaveLength(3);
    for (const seconds of left) expect(seconds).toBeLessThanOrEqual(60);
    expect(Math.min(...left)).toBeGreaterThan(30);
    expect(await other.begin('bob', 60)).toBe(0);
  });

  it('ends by itself, so that another can begin', async () => {
    const [one, other] = pauses();
    expect(await one.begin('short', 0.05)).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await other.begin('short', 0.05)).toBe(0);
  });

  it('is not known while Redis is away: whoever asks is told so', async () => {
    const [one] = pauses();
    await redis.kill();
    await expect(one.begin('eve', 60)).rejects.toThrow();
  });
});
