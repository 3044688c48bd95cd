import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port';

const READY_ROUNDS = 300;
const ROUND_MS = 100;

/**
 * The built service in a process of its own, which can be killed without warning and begun again at
 * the same address.
 */
export class ServiceProcess {
  kills = 0;
  private child?: ChildProcess;

  private constructor(
    private readonly main: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly address: string,
    private readonly stderr: 'inherit' | 'ignore',
  ) {}

  /**
   * @param main the built entry, `…/src/main.js`
   * @param stderr where its errors go: the job queue's library traces there when the database is
   * lost
   */
  static async start(
    main: string,
    env: NodeJS.ProcessEnv,
    stderr: 'inherit' | 'ignore' = 'inherit',
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const service = new ServiceProcess(
      main,
      { ...env, PORT: String(port), HOST: '127.0.0.1', BASE_URL: env.BASE_URL ?? address },
      address,
      stderr,
    );
    service.begin();
    await service.untilReady();
    return service;
  }

  begin(): void {
    this.child = spawn(process.execPath, [this.main], {
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', 'ignore', this.stderr],
    });
  }

  /** Nothing of it is finished, closed or said goodbye to. */
  async kill(): Promise<void> {
    this.kills++;
    const gone = new Promise((resolve) => this.child!.once('exit', resolve));
    this.child!.kill('SIGKILL');
    await gone;
  }

  async untilReady(): Promise<void> {
    for (let round = 0; round < READY_ROUNDS; round++) {
      const answer = await fetch(`${this.address}/api/v1/health/ready`).catch(() => undefined);
      if (answer?.ok) return;
      await pause(ROUND_MS);
    }
    throw new Error(`The service at ${this.address} does not become ready.`);
  }

  /** @returns what it ended with */
  async stop(): Promise<number | null> {
    const gone = new Promise<number | null>((resolve) => this.child!.once('exit', resolve));
    this.child!.kill('SIGTERM');
    return gone;
  }
}
