import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port';

const READY_ROUNDS = 300;
const ROUND_MS = 100;

/**
 * The built service in its own process, which can be killed and started again at the same address.
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
   * @param stderr use 'ignore' if the database fails on purpose: the library of the job queue then
   * prints stack traces
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
    service.launch();
    await service.untilReady();
    return service;
  }

  launch(): void {
    this.child = spawn(process.execPath, [this.main], {
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', 'ignore', this.stderr],
    });
  }

  /** SIGKILL: the process has no chance to finish anything. */
  async kill(): Promise<void> {
    this.kills++;
    const exited = new Promise((resolve) => this.child!.once('exit', resolve));
    this.child!.kill('SIGKILL');
    await exited;
  }

  async untilReady(): Promise<void> {
    for (let round = 0; round < READY_ROUNDS; round++) {
      const response = await fetch(`${this.address}/api/v1/health/ready`).catch(() => undefined);
      if (response?.ok) return;
      await pause(ROUND_MS);
    }
    throw new Error(`The service at ${this.address} did not become ready.`);
  }

  /** SIGTERM. @returns the exit code */
  async stop(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.child!.once('exit', resolve));
    this.child!.kill('SIGTERM');
    return exited;
  }
}
