import { spawn, type ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../dev/free-port';
import { newSecretsKeys, newSigningKey } from '../../dev/local-keys';
import { eventually } from './eventually';
import { PRODUCTION } from './settings';

const START_PATIENCE_MS = 40_000;

const started = new Set<ChildProcess>();

/** A test that fails leaves no process behind, which would delay the next ones. */
export function stopServices(): void {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
}

/** The settings of production for a database. */
export const productionSettings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  ...PRODUCTION,
  DATABASE_URL: databaseUrl,
  JWT_PRIVATE_KEY: newSigningKey(),
  SECRETS_KEYS: newSecretsKeys(),
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'a@tenantry.test',
});

/**
 * The built service in its own process, with environment variables only. A suite that uses it calls
 * `stopServices` after each test.
 */
export class ServiceProcess {
  output = '';
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (data: Buffer) => (this.output += data.toString()));
  }

  static async start(built: string, env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, [join(built, 'src', 'main.js')], {
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...env },
    });
    started.add(child);
    return new ServiceProcess(child, port);
  }

  get exit(): Promise<number | null> {
    const { exitCode } = this.child;
    return exitCode === null ? new Promise((resolve) => this.child.once('exit', resolve)) : Promise.resolve(exitCode);
  }

  async status(path: string): Promise<number | undefined> {
    return fetch(`http://127.0.0.1:${this.port}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** A new process loads everything, which takes many times as long if the cores are busy. */
  async untilReady(): Promise<void> {
    const isReady = async () => (await this.status('/api/v1/health/ready')) === 200;
    await eventually(isReady, 'readiness', START_PATIENCE_MS);
  }

  /** A request with an incomplete body, which stays open until `finish`. */
  async beginLogin(): Promise<{ finish: () => Promise<string> }> {
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' });
    const socket: Socket = connect(this.port, '127.0.0.1');
    let response = '';
    socket.on('data', (data) => (response += data.toString()));
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(response)));
    socket.write(
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200)); // until it has surely been read
    const finish = () => {
      socket.write(body.slice(10));
      return closed;
    };
    return { finish };
  }
}
