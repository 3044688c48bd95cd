import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../../dev/embedded-postgres';
import { freePort } from '../../dev/free-port';
import { asPostgresUser, homeOf } from '../../dev/postgres-user-and-binaries';
import { SERVICE_ROLE } from '../../dev/service-database';
import { eventually } from './eventually';

/** The first version that keeps prepared statements in transaction mode. */
const PREPARES_SINCE = [1, 21];

/** Sent by pg when it connects, and refused by PgBouncer otherwise (docs/scale.md). */
const IGNORED = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options';

/** Few, so that transactions of one client get different ones. */
const SERVER_CONNECTIONS = 8;

/** A PgBouncer in transaction mode in front of the PostgreSQL of the tests. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    readonly port: number,
    /** Whether it keeps prepared statements. */
    readonly prepares: boolean,
  ) {}

  /** @param folder the folder of the server */
  static async start(folder: string, postgres: EmbeddedPostgres): Promise<PgBouncer> {
    const home = homeOf(folder);
    const port = await freePort();
    const prepares = keepsPreparedStatements();
    const settings = [
      '[databases]',
      `* = host=127.0.0.1 port=${postgres.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(home.folder, 'pgbouncer-users.txt')}`,
      'pool_mode = transaction',
      `default_pool_size = ${SERVER_CONNECTIONS}`,
      'max_client_conn = 500',
      `ignore_startup_parameters = ${IGNORED}`,
      ...(prepares ? ['max_prepared_statements = 300'] : []),
    ];
    const { password } = new URL(postgres.url('postgres', SERVICE_ROLE));
    const file = join(home.folder, 'pgbouncer.ini');
    writeFileSync(join(home.folder, 'pgbouncer-users.txt'), `"${SERVICE_ROLE}" "${password}"\n`);
    writeFileSync(file, `${settings.join('\n')}\n`);
    const child = spawn('pgbouncer', ['--quiet', file], { ...asPostgresUser(home), stdio: 'inherit' });
    await eventually(() => accepts(port), 'PgBouncer');
    return new PgBouncer(child, port, prepares);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await gone;
  }
}

function keepsPreparedStatements(): boolean {
  const output = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout;
  const [major, minor] = /(\d+)\.(\d+)/.exec(output)!.slice(1).map(Number);
  return major > PREPARES_SINCE[0] || (major === PREPARES_SINCE[0] && minor >= PREPARES_SINCE[1]);
}

/** @returns true if something listens on the port, else undefined */
const accepts = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined));
    socket.once('connect', () => socket.destroy());
  });
