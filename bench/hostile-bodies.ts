import autocannon from 'autocannon';
import { tokenFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { medianOfMe } from './latency-probe';
import { atMost } from './report';
import { tenantOf } from './seed-data';
import { startServer } from './servers';

/** The median may grow to this multiple. */
const LIMIT = 3;

/** The size limits of bodies with and without an access token, in bytes. */
const LIMITS = { '/projects': 100_000, '/auth/login': 16_000 };

/** Bodies of a size that are the most expensive to parse and validate. */
function worstBodies(bytes: number): string[] {
  const text = (length: number) => 'x'.repeat(Math.floor(length));
  return [
    // 11,000 unknown keys of 100 kB
    `{${Array.from({ length: bytes / 9 }, (_, i) => `"${String(i).padStart(5, '0')}":1`).join()}}`,
    '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
    `[${Array(Math.floor(bytes / 3) - 1)
      .fill('{}')
      .join()}]`,
    // within the limits of a body
    JSON.stringify({ name: text(bytes / 4), email: `${text(bytes / 4)}@example.com`, password: text(bytes / 4) }),
  ];
}

/**
 * Sends the worst bodies over four connections, from a separate thread.
 * @returns the number of rejected bodies
 */
async function sendWorstBodies(url: string, token: string, seconds: number): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const post = (path: string, body: string) => ({ method: 'POST' as const, path: `/api/v1${path}`, headers, body });
  const within = Object.entries(LIMITS).flatMap(([path, bytes]) => worstBodies(bytes).map((body) => post(path, body)));
  const beyond = worstBodies(100_000).map((body) => post('/auth/login', body));
  const sent = await autocannon({
    url,
    connections: 4,
    workers: 1,
    duration: seconds,
    requests: [...within, ...beyond],
  });
  const refused = sent['4xx'];
  if (refused === 0 || sent['2xx'] + sent['5xx'] + sent.timeouts > 0) {
    throw new Error(
      `of the worst bodies ${refused} were rejected, ${sent['2xx']} accepted, ` +
        `${sent['5xx'] + sent.timeouts} not answered`,
    );
  }
  return refused;
}

/** The median latency of GET /auth/me while the worst bodies are sent, against that at rest. */
export async function compareBodies({ server: { folder }, options, prepare, report, say }: BenchRun): Promise<void> {
  const { settings } = await prepare('bodies', SMALL);
  const server = await startServer('service', { ...settings, WORKER: 'off' }, folder);
  const token = await tokenFor(1, tenantOf(1));
  const { rounds: count, seconds, warmUpSeconds } = options;
  await medianOfMe(server.url, token, warmUpSeconds);
  const before = server.computed();
  const alone = await sendWorstBodies(server.url, token, warmUpSeconds);
  say(`  one of the worst bodies costs ${((server.computed() - before) / alone).toFixed(2)} ms of CPU time`);
  const atRest = () => medianOfMe(server.url, token, seconds);
  const attacked = async () => {
    const attack = sendWorstBodies(server.url, token, seconds);
    const measured = await atRest();
    await attack;
    return measured;
  };
  const work = 'median of GET /auth/me while 4 connections send the worst bodies';
  const rounds = await interleave(work, { attacked, atRest }, { rounds: count, say });
  await server.stop();
  const ratio = rounds.ratio('attacked', 'atRest');
  report.add({
    work,
    measured: `${rounds.median('attacked').toFixed(2)} ms`,
    reference: `${rounds.median('atRest').toFixed(2)} ms at rest`,
    ratio,
    disturbed: rounds.disturbed,
    ...atMost(LIMIT, ratio.median, ' ×'),
  });
}
