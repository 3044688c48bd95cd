import { tokensFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { me } from './load-drivers';
import { atMost } from './report';
import { startServer, type BenchServer } from './servers';
import { BILLING } from './webhook-deliveries';

/** Many short rounds, because a cache lookup costs less than rounds differ. */
const ROUNDS = 15;
const SECONDS = 2;
const LIMIT = 1.03;

/**
 * Compares GET /auth/me with and without the guard that attaches the tenant's subscription from the
 * cache to each request: milliseconds of CPU time per request. Other load on the machine affects
 * CPU time much less than the rate.
 */
export async function compareGuard({ server: { folder }, options, prepare, report, say }: BenchRun): Promise<void> {
  const { settings } = await prepare('guard', SMALL);
  const billed = { ...settings, ...BILLING, WORKER: 'off' };
  const guarded = await startServer('service', billed, folder);
  const unguarded = await startServer('unguarded', billed, folder);
  const tokens = await tokensFor(SMALL);
  for (const { url } of [guarded, unguarded]) await me(url, tokens, options.warmUpSeconds);
  const side = (server: BenchServer) => async () => {
    const before = server.computed();
    const { answered } = await me(server.url, tokens, SECONDS);
    return (server.computed() - before) / answered;
  };
  const work = 'GET /auth/me with the plan from the cache against without it';
  const sides = { guarded: side(guarded), unguarded: side(unguarded) };
  const rounds = await interleave(work, sides, { rounds: options.isQuick ? options.rounds : ROUNDS, say });
  await Promise.all([guarded.stop(), unguarded.stop()]);
  const ratio = rounds.ratio('guarded', 'unguarded');
  report.add({
    work,
    measured: `${rounds.median('guarded').toFixed(3)} ms of CPU time`,
    reference: `${rounds.median('unguarded').toFixed(3)} ms`,
    ratio,
    disturbed: rounds.disturbed,
    ...atMost(LIMIT, ratio.median, ' ×'),
  });
}
