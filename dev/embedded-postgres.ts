import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port';
import { asPostgresUser, homeOf, type Home } from './postgres-user-and-binaries';
import { stopStalePostgres } from './stale-postgres';

const START_TIMEOUT_MS = 30_000;
const PORT_ATTEMPTS = 5;
/**
 * Faster, but a crash of the machine loses data. For databases of a single test run, in which many
 * instances of the service run at once.
 */
const THROWAWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
/**
 * The same on every machine: sorts by code point, and knows upper and lower case of all letters.
 */
const LETTERS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export interface EmbeddedPostgres {
  readonly port: number;
  /**
   * Address of a database for a role. The superuser `postgres` creates roles and databases; the
   * service never uses it.
   */
  url(database: string, role?: string): string;
  /**
   * fast: rolls back open transactions and keeps everything committed. immediate: like a crash.
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

/**
 * Starts an embedded PostgreSQL on a free port of 127.0.0.1, with a password that is stored in the
 * folder. A server that an interrupted run left running on this folder is stopped first; its data
 * is kept.
 * @param folder the folder of its data, created if it does not exist
 * @param throwaway whether the data may be lost in a crash
 */
export async function startPostgres(folder: string, { throwaway = false } = {}): Promise<EmbeddedPostgres> {
  mkdirSync(folder, { recursive: true });
  const home = homeOf(folder);
  const password = passwordIn(folder);
  await stopStalePostgres(home.data);
  if (!existsSync(join(home.data, 'PG_VERSION'))) await initialize(home, password);
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(home, password, throwaway);
    } catch (error) {
      if (attempt === PORT_ATTEMPTS) throw error; // another program may have taken the port meanwhile
    }
  }
}

async function initialize(home: Home, password: string): Promise<void> {
  const unfinished = `${home.data}.new`; // an interrupted initdb leaves no folder that looks like a database
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
    ...(throwaway ? THROWAWAY.flatMap((setting) => ['-c', setting]) : []),
  ];
  // In its own process group: Ctrl-C goes to the service, which stops the database afterwards.
  const options = {
    ...asPostgresUser(home),
    detached: true,
    stdio: ['ignore', logOf(home), logOf(home)] as ['ignore', number, number],
  };
  const server = home.diesWithParent
    ? spawn('setpriv', ['--pdeathsig', 'INT', join(home.binaries, 'bin', 'postgres'), ...args], options)
    : spawn(join(home.binaries, 'bin', 'postgres'), args, options);
  const stopWithParent = () => server.kill('SIGINT'); // if nothing else stops it
  process.once('exit', stopWithParent);
  server.once('exit', () => process.off('exit', stopWithParent));
  const url = (database: string, role = 'postgres') => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  await untilItAnswers(server, url('postgres'), home);
  return { port, url, stop: (how) => stop(server, how) };
}

async function untilItAnswers(server: ChildProcess, url: string, home: Home): Promise<void> {
  let ended: string | undefined;
  server
    .on('exit', (code) => (ended = `PostgreSQL exited with ${String(code)}`))
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
