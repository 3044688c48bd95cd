import { tokensFor } from '../access-tokens';
import { SMALL, type BenchRun } from '../bench-run';
import { CONNECTIONS } from '../driver-connections';
import { interleave } from '../interleaved-rounds';
import { login, me, refresh, type Measured } from '../load-drivers';
import { rateFigure } from '../report';
import { startServer, type BenchServer } from '../servers';
import { assertSession, fillPeer, PEER_SECRET, type Hashing } from './peer-data';
import { readSession, signIn } from './peer-drivers';
import { installPeers } from './peer-installation';

/** Measures one server for some seconds. */
type Driver = (seconds: number) => Promise<Measured>;

interface Comparison {
  readonly work: string;
  /** The least ratio; absent if there is no target. */
  readonly least?: number;
  /** What the two do differently. */
  readonly difference: string;
  readonly service: Driver;
  readonly peer: Driver;
}

/** Compares the service with better-auth on the same database server. */
export async function comparePeers(run: BenchRun): Promise<void> {
  installPeers(run.say);
  const { settings } = await run.prepare('service_of_peers', SMALL);
  const service = await startServer('service', { ...settings, WORKER: 'off' }, run.server.folder);
  const reading = await startPeer(run, 'peer_reading', 'scrypt', '86400');
  const updating = await startPeer(run, 'peer_updating', 'argon2', '0');
  for (const comparison of await comparisons(service, reading, updating)) await compare(comparison, run);
  await Promise.all([service, reading, updating].map((server) => server.stop()));
}

async function compare({ work, least, difference, ...sides }: Comparison, { options, report, say }: BenchRun) {
  await sides.service(options.warmUpSeconds);
  await sides.peer(options.warmUpSeconds);
  const side = (driver: Driver) => async () => (await driver(options.seconds)).perSecond;
  const measured = { service: side(sides.service), peer: side(sides.peer) };
  const rounds = await interleave(work, measured, { rounds: options.rounds, say });
  report.add({ ...rateFigure(work, rounds, ['service', 'peer'], least), difference });
}

/** @param updateAge seconds after which reading a session extends it in the database */
async function startPeer(run: BenchRun, name: string, hashing: Hashing, updateAge: string): Promise<BenchServer> {
  const superuser = await run.server.createEmpty(name);
  const own = { DATABASE_URL: superuser, PEER_SECRET, PEER_UPDATE_AGE: updateAge, PEER_HASHING: hashing };
  const server = await startServer('better-auth', own, run.server.folder);
  await fillPeer(superuser, SMALL, hashing);
  await assertSession(server.url, 1);
  return server;
}

async function comparisons(service: BenchServer, reading: BenchServer, updating: BenchServer): Promise<Comparison[]> {
  const tokens = await tokensFor(SMALL);
  let chain = 1;
  const loginTo = (url: string) => (seconds: number) => login(url, SMALL, seconds);
  return [
    {
      work: 'GET /auth/me against get-session',
      least: 3,
      difference:
        'Both read user and session state in one query. ' +
        'The service verifies a token and answers with tenant, role, permissions and plan; ' +
        'better-auth verifies a signed cookie and knows no tenant.',
      service: (seconds) => me(service.url, tokens, seconds),
      peer: (seconds) => readSession(reading.url, SMALL, seconds),
    },
    {
      work: 'POST /auth/refresh against get-session with updateAge 0',
      least: 3,
      difference:
        'The service replaces the refresh token, detects reuse and signs an access token (RS256). ' +
        'better-auth has no rotation: with updateAge 0, reading a session also moves its expiry in the database.',
      service: (seconds) => refresh(service.url, (chain += CONNECTIONS), CONNECTIONS, seconds),
      peer: (seconds) => readSession(updating.url, SMALL, seconds),
    },
    {
      work: 'POST /auth/login against sign-in, each with its own hash',
      least: 5,
      difference:
        'argon2id (19 MiB, 2 passes) against scrypt (N 16384, r 16), the defaults of both, which cost differently. ' +
        'The service also writes an audit entry and enqueues an email.',
      service: loginTo(service.url),
      peer: (seconds) => signIn(reading.url, SMALL, seconds),
    },
    {
      work: 'POST /auth/login against sign-in, both with argon2id',
      difference: 'The same hash, verified by the same package. The rest as above.',
      service: loginTo(service.url),
      peer: (seconds) => signIn(updating.url, SMALL, seconds),
    },
  ];
}
