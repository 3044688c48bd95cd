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
  const peers = {
    reading: await startPeer(run, 'peer_reading', { hashing: 'scrypt', updateAge: '86400', tokens: '' }),
    updating: await startPeer(run, 'peer_updating', { hashing: 'argon2', updateAge: '0', tokens: '' }),
    signing: await startPeer(run, 'peer_signing', { hashing: 'argon2', updateAge: '0', tokens: 'RS256' }),
  };
  for (const comparison of await comparisons(service, peers)) await compare(comparison, run);
  await Promise.all([service, ...Object.values(peers)].map((server) => server.stop()));
}

async function compare({ work, least, difference, ...sides }: Comparison, { options, report, say }: BenchRun) {
  await sides.service(options.warmUpSeconds);
  await sides.peer(options.warmUpSeconds);
  const side = (driver: Driver) => async () => (await driver(options.seconds)).perSecond;
  const measured = { service: side(sides.service), peer: side(sides.peer) };
  const rounds = await interleave(work, measured, { rounds: options.rounds, say });
  report.add({ ...rateFigure(work, rounds, ['service', 'peer'], least), difference });
}

/** How a peer is configured. */
interface PeerOptions {
  readonly hashing: Hashing;
  /** Seconds after which reading a session extends it in the database. */
  readonly updateAge: string;
  /** The algorithm of the tokens that reading a session returns; empty for none. */
  readonly tokens: '' | 'RS256';
}

async function startPeer(
  run: BenchRun,
  name: string,
  { hashing, updateAge, tokens }: PeerOptions,
): Promise<BenchServer> {
  const superuser = await run.server.createEmpty(name);
  const own = { PEER_SECRET, PEER_UPDATE_AGE: updateAge, PEER_HASHING: hashing, PEER_TOKENS: tokens };
  const server = await startServer('better-auth', { DATABASE_URL: superuser, ...own }, run.server.folder);
  await fillPeer(superuser, SMALL, hashing);
  await assertSession(server.url, 1, tokens);
  return server;
}

async function comparisons(
  service: BenchServer,
  { reading, updating, signing }: Readonly<Record<'reading' | 'updating' | 'signing', BenchServer>>,
): Promise<Comparison[]> {
  const tokens = await tokensFor(SMALL);
  let chain = 1;
  const refreshing = (seconds: number) => refresh(service.url, (chain += CONNECTIONS), CONNECTIONS, seconds);
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
      work: 'POST /auth/refresh against get-session with updateAge 0 and a token',
      least: 3,
      difference:
        'Both move the expiry of the session and sign a token (RS256). ' +
        'The service also replaces the refresh token and detects its reuse. ' +
        'better-auth reads its signing key from the database and imports it for each token.',
      service: refreshing,
      peer: (seconds) => readSession(signing.url, SMALL, seconds),
    },
    {
      work: 'POST /auth/refresh against get-session with updateAge 0',
      difference: 'The same, but better-auth signs nothing. It only moves the expiry of the session.',
      service: refreshing,
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
