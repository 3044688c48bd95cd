import { tokensFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { newProjects } from './load-drivers';
import { rateFigure } from './report';
import { MEMBERS, subscribe } from './seed-data';
import { startServer } from './servers';

const LEAST = 0.75;

/** Compares POST of a project with a new Idempotency-Key each time, and without, on one server. */
export async function compareKeyedWrites({
  server: { folder },
  options,
  prepare,
  report,
  say,
}: BenchRun): Promise<void> {
  const { settings, superuser } = await prepare('writes', SMALL);
  await subscribe(superuser, SMALL / MEMBERS); // without a limit of projects
  const service = await startServer('service', { ...settings, WORKER: 'off' }, folder);
  const tokens = await tokensFor(SMALL);
  const post = (isKeyed: boolean, seconds: number) => newProjects(service.url, tokens, isKeyed, seconds);
  for (const isKeyed of [true, false]) await post(isKeyed, options.warmUpSeconds);
  const work = 'POST /tenants/current/projects with Idempotency-Key against without';
  const sides = {
    keyed: async () => (await post(true, options.seconds)).perSecond,
    plain: async () => (await post(false, options.seconds)).perSecond,
  };
  const rounds = await interleave(work, sides, { rounds: options.rounds, say });
  await service.stop();
  report.add(rateFigure(work, rounds, ['keyed', 'plain'], LEAST));
}
