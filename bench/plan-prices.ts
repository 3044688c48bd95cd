import { SMALL, type BenchRun } from './bench-run';
import { anonymous, live } from './load-drivers';
import { interleave } from './interleaved-rounds';
import { rateFigure } from './report';
import { startProcessor, startServer } from './servers';

const LEAST = 0.8;
const PLANS_PAGE = '/billing/plans';

/**
 * Compares the public prices, which are read from Stripe and kept, with GET /health/live of the
 * same server.
 */
export async function comparePrices({ server: { folder }, options, prepare, report, say }: BenchRun): Promise<void> {
  const { settings } = await prepare('prices', SMALL);
  const processor = await startProcessor([], folder);
  const service = await startServer('service', { ...settings, ...processor.settings, WORKER: 'off' }, folder);
  const plans = (seconds: number) => anonymous(service.url, PLANS_PAGE, seconds);
  await plans(options.warmUpSeconds);
  await live(service.url, options.warmUpSeconds);
  const work = 'GET /billing/plans against GET /health/live';
  const sides = {
    plans: async () => (await plans(options.seconds)).perSecond,
    live: async () => (await live(service.url, options.seconds)).perSecond,
  };
  const rounds = await interleave(work, sides, { rounds: options.rounds, say });
  await Promise.all([service.stop(), processor.stop()]);
  report.add(rateFigure(work, rounds, ['plans', 'live'], LEAST));
}
