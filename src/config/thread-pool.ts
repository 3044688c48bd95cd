import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';

/**
 * Threads of libuv's pool, which hashes passwords and signs tokens. Node's default of 4 is too low
 * for machines with more cores. Import this file before anything uses the pool. UV_THREADPOOL_SIZE
 * wins.
 */
export const THREADS = Number((process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism() + 2))));

/** Nice value of the pool's threads: a tenth of the event loop's time if they compete for it. */
const NICE = 10;
/** The threads of this process on Linux; the id of a thread is accepted as that of a process. */
const TASKS = '/proc/self/task';

/**
 * Starts the threads of the pool with a lower priority than the event loop, which then answers
 * quickly while password hashes use all cores. Other systems have priorities of processes only.
 */
function startThreads(): void {
  const existing = new Set(readdirSync(TASKS));
  randomBytes(1, () => undefined); // the first work starts all threads before it returns
  for (const thread of readdirSync(TASKS)) if (!existing.has(thread)) setPriority(Number(thread), NICE);
}

if (process.platform === 'linux') startThreads();
