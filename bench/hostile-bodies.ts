import autocannon from 'autocannon';
import type { Bench } from './billing';
import { median } from './statistics';
import { medianOfMe } from './latency-probe';
import type { BenchServer } from './servers';

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

/**
 * Measures the median latency of GET /auth/me at rest and while the worst bodies are sent, in
 * milliseconds. The result is the median of the rounds.
 */
export async function compareBodies(
  server: BenchServer,
  token: string,
  warmUpSeconds: number,
  { rounds, seconds, say }: Bench,
) {
  const { url } = server;
  await medianOfMe(url, token, warmUpSeconds);
  const before = server.computed();
  const alone = await sendWorstBodies(url, token, warmUpSeconds);
  say(`  one of the worst bodies costs ${((server.computed() - before) / alone).toFixed(2)} ms of CPU time`);
  const figures = { atRest: [] as number[], meanwhile: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const atRest = await medianOfMe(url, token, seconds);
    const [meanwhile, refused] = await Promise.all([
      medianOfMe(url, token, seconds),
      sendWorstBodies(url, token, seconds),
    ]);
    figures.atRest.push(atRest);
    figures.meanwhile.push(meanwhile);
    const perSecond = (refused / seconds).toFixed(0);
    say(
      `  median of me: ${atRest.toFixed(2)} ms at rest, ` +
        `${meanwhile.toFixed(2)} ms while ${perSecond} of the worst bodies per second are rejected`,
    );
  }
  return { atRest: median(figures.atRest), meanwhile: median(figures.meanwhile) };
}
