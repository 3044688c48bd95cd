import { tokenFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { p99OfMe } from './latency-probe';
import { login } from './load-drivers';
import { atMost } from './report';
import { tenantOf } from './seed-data';
import type { BenchServer } from './servers';

/** The p99 may grow to this multiple, and the memory to this many MB. */
const P99_LIMIT = 4;
const MEMORY_LIMIT = 200;

/**
 * The p99 of GET /auth/me while logins saturate the cores, against that at rest, and the memory of
 * the service afterwards.
 */
export async function measureLatency(service: BenchServer, { options, say, report }: BenchRun): Promise<void> {
  const { rounds: count, seconds } = options;
  const token = await tokenFor(1, tenantOf(1));
  const p99 = () => p99OfMe(service.url, token, seconds);
  const underLoad = async () => {
    const load = login(service.url, SMALL, seconds + 1);
    const measured = await p99();
    await load;
    return measured;
  };
  const work = 'p99 of GET /auth/me while logins saturate the cores';
  const rounds = await interleave(work, { loaded: underLoad, rest: p99 }, { rounds: count, say });
  const ratio = rounds.ratio('loaded', 'rest');
  report.add({
    work,
    measured: `${rounds.median('loaded').toFixed(1)} ms`,
    reference: `${rounds.median('rest').toFixed(1)} ms at rest`,
    ratio,
    disturbed: rounds.disturbed,
    ...atMost(P99_LIMIT, ratio.median, ' ×'),
  });
  const megabytes = service.memory();
  report.add({
    work: 'memory of the service after the run',
    measured: `${megabytes} MB`,
    ...atMost(MEMORY_LIMIT, megabytes, ' MB'),
  });
}
