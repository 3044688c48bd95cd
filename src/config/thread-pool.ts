import { availableParallelism } from 'node:os';

/**
 * Threads of libuv's pool, on which passwords are hashed and tokens signed. Node's own default of 4
 * would be too few for many cores. Import this before anything uses the pool; UV_THREADPOOL_SIZE,
 * where it is set, wins.
 */
export const THREADS = Number((process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2))));
