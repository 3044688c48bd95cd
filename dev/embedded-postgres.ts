import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port';
import { asPostgresUser, homeOf, type Home } from './postgres-home';
import { stopStalePostgres } from './stale-postgres';

const START_TIMEOUT_MS = 30_000;
const PORT_ATTEMPTS = 5;
/** Faster, and a crash of the machine loses data: for databases that live as long as a test run. */
const THROWAWAY = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];
/**
 * On every machine alike: sorted by code point, and with the upper and lower case of all letters.
 */
const LETTERS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export interface EmbeddedPostgres {
  readonly port: number;
  /**
   * Address of a database for a role; the superuser `postgres` makes roles and databases, the
   * service never uses it.
   */
  url(database: string, role?: string): string;
  /**
   * Fast: open transactions are rolled back, everything committed is kept. Immediate: as if it had
   * crashed.
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

/**
 * Starts a PostgreSQL of our own, on a free port of 127.0.0.1, with a password that only this
 * folder knows. A server that a killed run left behind on this folder is stopped first; its data is
 * kept.
 * @param folder where its data lives; made when it is not there
 * @param throwaway the data need not survive a crash
 */
export async function startPostgres(folder: string, { throwaway = false } = {}): Promise<EmbeddedPostgres> {
  mkdirSync(folder, { recursive: true });
  const home = homeOf(folder);
  const password = passwordIn(folder);
  await stopStalePostgres(home.data);
  if (!existsSync(join(home.data, 'PG_VERSION'))) await initialise(home, password);
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(home, password, throwaway);
    } catch (error) {
      if (attempt === PORT_ATTEMPTS) throw error; // another program may have taken the port in between
    }
  }
}

async function initialise(home: Home, password: string): Promise<void> {
  const unfinished = `${home.data}.new`; // an initdb that is killed half-way leaves nothing that looks like a database
  await rm(unfinished, { recursive: true, force: true });
  const passwordFile = join(home.folder, 'initdb-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  home.give(passwordFile);
  const args = [
    '-D',
    unfinished,
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    ...LETTERS,
    '--no-sync',
  ];
  const initdb = spawn(join(home.binaries, 'bin', 'initdb'), args, {
    ...asPostgresUser(home),
    stdio: ['ignore', logOf(home), logOf(home)],
  });
  const code = await new Promise((resolve, reject) => initdb.on('exit', resolve).on('error', reject));
  await rm(passwordFile);
  if (code !== 0) throw new Error(`initdb failed (${String(code)}); see ${join(home.folder, 'postgres.log')}`);
  home.rename(unfinished, home.data);
}

async function run(home: Home, password: string, throwaway: boolean): Promise<EmbeddedPostgres> {
  const port = await freePort();
  const args = [
    '-D',
    home.data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    ...(throwaway ? THROWAWAY : []),
  ];
  // Not in our process group: Ctrl-C is for the service, which stops the database when it is done
  // with it.
  const options = {
    ...asPostgresUser(home),
    detached: true,
    stdio: ['ignore', logOf(home), logOf(home)] as ['ignore', number, number],
  };
  const server = home.diesWithParent
    ? spawn('setpriv', ['--pdeathsig', 'INT', join(home.binaries, 'bin', 'postgres'), ...args], options)
    : spawn(join(home.binaries, 'bin', 'postgres'), args, options);
  const endWithUs = () => server.kill('SIGINT'); // where nothing else does
  process.once('exit', endWithUs);
  server.once('exit', () => process.off('exit', endWithUs));
  const url = (database: string, role = 'postgres') => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  await untilItAnswers(server, url('postgres'), home);
  return { port, url, stop: (how) => stop(server, how) };
}

async function untilItAnswers(server: ChildProcess, url: string, home: Home): Promise<void> {
  let ended: string | undefined;
  server
    .on('exit', (code) => (ended = `PostgreSQL ended with ${String(code)}`))
    .on('error', (error) => (ended = error.message));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!ended && Date.now() < deadline) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  server.kill('SIGKILL');
  throw new Error(`${ended ?? 'PostgreSQL does not answer'}; see ${join(home.folder, 'postgres.log')}`);
}

async function stop(server: ChildProcess, how: 'fast' | 'immediate' = 'fast'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  await gone;
}

const logOf = (home: Home) => openSync(join(home.folder, 'postgres.log'), 'a');

function passwordIn(folder: string): string {
  const file = join(folder, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
