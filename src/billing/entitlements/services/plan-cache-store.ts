import type { Cache, CacheModuleOptions } from '@nestjs/cache-manager';
import { KeyvCacheableMemory } from 'cacheable';
import Keyv, { type KeyvStoreAdapter, type StoredDataRaw } from 'keyv';
import { MINUTE } from '../../../platform/clock';
import type { Redis } from '../../../platform/redis';

/** Milliseconds that an entry is valid (docs/specification.md, Limits). */
const TTL = 5 * MINUTE * 1000;
/** Entries in the memory of one instance: a few MB. The least recently used one is evicted. */
const MAX_ENTRIES = 20_000;

/**
 * The store of the plan cache: Redis if configured, shared by all instances; else the memory
 * of this process. There the objects are stored without copies and in one store, because copying
 * and choosing among stores would cost more than the lookup itself.
 */
export async function planCacheOptions(redis: Redis): Promise<CacheModuleOptions> {
  const store = redis.client
    ? new Keyv({ store: await redisStore(redis), namespace: 'tenantry', useKeyPrefix: false, throwOnErrors: true })
    : new Keyv({
        store: new KeyvCacheableMemory({ lruSize: MAX_ENTRIES, useClone: false, storeHashSize: 1 }),
        useKeyPrefix: false,
        serialize: undefined,
        deserialize: undefined,
      });
  return { ttl: TTL, stores: [store] };
}

/**
 * An entry that is in the memory of this process. The cache answers by promises, several in a row,
 * which cost each request more than the lookup.
 * @returns undefined also if the store is Redis
 */
export function inMemory<T>({ stores: [{ store }] }: Cache, key: string): T | undefined {
  if (!(store instanceof KeyvCacheableMemory)) return undefined;
  return (store.store.get(key) as StoredDataRaw<T>)?.value;
}

/** Redis with a short timeout, over the shared connection, which it must not close. */
async function redisStore(redis: Redis): Promise<KeyvStoreAdapter> {
  const { default: KeyvRedis } = await import('@keyv/redis'); // loads a client of Redis
  class RedisStore extends KeyvRedis<string> {
    override get<U>(key: string): Promise<U | undefined> {
      return redis.ask(() => super.get<U>(key));
    }

    override set(key: string, value: string, ttl?: number): Promise<void> {
      return redis.ask(() => super.set(key, value, ttl));
    }

    override delete(key: string): Promise<boolean> {
      return redis.ask(() => super.delete(key));
    }

    override disconnect(): Promise<void> {
      return Promise.resolve();
    }
  }
  return new RedisStore(redis.client, { throwOnErrors: true });
}
