import type { Clock } from '../../platform/clock';
import type { Redis } from '../../platform/redis';

const SWEEP_ABOVE = 10_000;

/** Named cooldowns of different lengths; while one runs, no other starts under its name. */
export interface Cooldowns {
  /**
   * @returns 0 if the cooldown has started now, else the seconds that the running one has left.
   * Rejects when Redis is unreachable.
   */
  begin(name: string, seconds: number): Promise<number>;
}

/** Cooldowns of one instance. */
export class MemoryCooldowns implements Cooldowns {
  private readonly ends = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  begin(name: string, seconds: number): Promise<number> {
    const now = this.clock.now().getTime();
    const left = (this.ends.get(name) ?? 0) - now;
    if (left > 0) return Promise.resolve(left / 1000);
    if (this.ends.size > SWEEP_ABOVE) for (const [other, end] of this.ends) if (end <= now) this.ends.delete(other);
    this.ends.set(name, now + seconds * 1000);
    return Promise.resolve(0);
  }
}

/** Cooldowns shared by all instances. */
export class RedisCooldowns implements Cooldowns {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  begin(name: string, seconds: number): Promise<number> {
    const { redis } = this;
    const key = `tenantry:${this.prefix}:${name}`;
    return redis.ask(async () => {
      const begun = await redis.client!.sendCommand(['SET', key, '1', 'NX', 'PX', String(seconds * 1000)]);
      return begun ? 0 : Math.max(1, Number(await redis.client!.sendCommand(['PTTL', key]))) / 1000;
    });
  }
}
