import type { CacheModuleOptions } from '@nestjs/cache-manager';
import KeyvRedis from '@keyv/redis';
import { KeyvCacheableMemory } from 'cacheable';
import Keyv from 'keyv';
import { MINUTE } from '../../../platform/clock';
import type { Redis } from '../../../platform/redis';

/** Milliseconds that a subscription is remembered (specification, Limits). */
const TTL = 5 * MINUTE * 1000;
/** Tenants that one instance remembers, in a few MB; who was not seen for longest is forgotten. */
const REMEMBERED = 20_000;

/**
 * Where subscriptions are remembered: in Redis where it is set, shared by all instances; else in
 * this process, as the very objects, in one store: copies and the choice among many stores cost
 * more than the rest of the look.
 */
export function cacheOptions(redis: Redis): CacheModuleOptions {
  const store = redis.client
    ? new Keyv({ store: new SharedMemory(redis), namespace: 'tenantry', useKeyPrefix: false, throwOnErrors: true })
    : new Keyv({
        store: new KeyvCacheableMemory({ lruSize: REMEMBERED, useClone: false, storeHashSize: 1 }),
        serialize: undefined,
        deserialize: undefined,
      });
  return { ttl: TTL, stores: [store] };
}

/**
 * Redis as it is used here: asked for a moment only, by a connection that belongs to somebody else.
 */
class SharedMemory extends KeyvRedis<string> {
  constructor(private readonly redis: Redis) {
    super(redis.client, { throwOnErrors: true });
  }

  override get<U>(key: string): Promise<U | undefined> {
    return this.redis.ask(() => super.get<U>(key));
  }

  override set(key: string, value: string, ttl?: number): Promise<void> {
    return this.redis.ask(() => super.set(key, value, ttl));
  }

  override disconnect(): Promise<void> {
    return Promise.resolve();
  }
}
