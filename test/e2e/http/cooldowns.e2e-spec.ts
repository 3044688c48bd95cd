import { RateLimitStores } from '../../../src/http/rate-limits/rate-limit-stores';
import { TestApp } from '../../support/app';
import { redisServer, TestRedis } from '../../support/redis';

(redisServer ? describe : describe.skip)('a cooldown shared by several instances', () => {
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

  const cooldowns = () => instances.map((t) => t.nest.get(RateLimitStores).createCooldowns('test'));

  it('is started by one of several concurrent callers; the others get the remaining time', async () => {
    const [one, other] = cooldowns();
    const remaining = await Promise.all([one, other, one, other].map((at) => at.begin('ada', 60)));
    const refused = remaining.filter((seconds) => seconds > 0);
    expect(refused).toHaveLength(3);
    for (const seconds of refused) expect(seconds).toBeLessThanOrEqual(60);
    expect(Math.min(...refused)).toBeGreaterThan(30);
    expect(await other.begin('bob', 60)).toBe(0);
  });

  it('ends after its duration', async () => {
    const [one, other] = cooldowns();
    expect(await one.begin('short', 0.05)).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await other.begin('short', 0.05)).toBe(0);
  });

  it('fails if Redis is unreachable', async () => {
    const [one] = cooldowns();
    await redis.kill();
    await expect(one.begin('eve', 60)).rejects.toThrow();
  });
});
