import { availableParallelism } from 'node:os';

/**
 * Threads of libuv's pool, which hashes passwords and signs tokens. Node's default of 4 is too low
 * for machines with more cores. Import this file before anything uses the pool. UV_THREADPOOL_SIZE
 * wins.
 */
export const THREADS = Number((process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2))));
