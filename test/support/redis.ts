import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createClient } from 'redis';
import { freePort } from '../../dev/free-port';
import { eventually } from './eventually';

/**
 * The path of redis-server. undefined: tests that need it are skipped. `.ci/run` installs it.
 */
export const redisServer = (() => {
  try {
    return execFileSync('which', ['redis-server'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
})();

const ATTEMPTS = 3;
const RESPONSE_MS = 1_000;

/** A real Redis for a test file. */
export class TestRedis {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * Starts it on a free port, and on another one if a test of another process took that port first.
   */
  static async start(): Promise<TestRedis> {
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      const redis = await TestRedis.startOn(await freePort()).catch(() => undefined);
      if (redis) return redis;
    }
    return TestRedis.startOn(await freePort());
  }

  private static async startOn(port: number): Promise<TestRedis> {
    const url = `redis://127.0.0.1:${port}`;
    const started = spawn(redisServer!, ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    });
    const ended = new Promise<never>((_, fail) => started.once('exit', () => fail(new Error('redis-server ended'))));
    try {
      await Promise.race([eventually(() => responds(url), 'Redis'), ended]);
    } catch (error) {
      started.kill('SIGKILL');
      throw error;
    }
    ended.catch(() => undefined);
    return new TestRedis(started, url);
  }

  async keys(): Promise<string[]> {
    const client = createClient({ url: this.url });
    await client.connect();
    const keys = await client.keys('*');
    await client.close();
    return keys;
  }

  /** Pauses the server: it accepts data and does not respond. */
  hang(): void {
    this.process.kill('SIGSTOP');
  }

  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await gone;
  }

  stop(): void {
    this.process.kill('SIGKILL');
  }
}

/** true if a Redis responds at the URL. Another server that took the port may never respond. */
async function responds(url: string): Promise<true | undefined> {
  const client = createClient({ url, socket: { reconnectStrategy: false } }).on('error', () => undefined);
  const tooLate = AbortSignal.timeout(RESPONSE_MS);
  const connected = client.connect().then(() => client.ping());
  const late = new Promise<undefined>((resolve) => tooLate.addEventListener('abort', () => resolve(undefined)));
  const answer = await Promise.race([connected.catch(() => undefined), late]);
  if (client.isOpen) client.destroy();
  return answer === 'PONG' || undefined;
}
