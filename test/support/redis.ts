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

/** A real Redis for a test file. */
export class TestRedis {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<TestRedis> {
    const port = await freePort();
    const url = `redis://127.0.0.1:${port}`;
    const started = spawn(redisServer!, ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
      stdio: 'ignore',
    });
    await eventually(async () => {
      const client = createClient({ url, socket: { reconnectStrategy: false } }).on('error', () => undefined);
      return client.connect().then(
        () => client.close().then(() => true),
        () => undefined,
      );
    }, 'Redis');
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
