import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { deliver } from './load-drivers';
import { p99OfDeliveries } from './latency-probe';
import { atMost, rateFigure } from './report';
import { addTenants, MEMBERS, rowsOf, subscribe } from './seed-data';
import { startServer, type BenchServer } from './servers';
import { spreadOf } from './statistics';
import { BILLING, Renewals } from './webhook-deliveries';

/** Number of deliveries that is enough to measure their rate. */
const SAMPLE = 1000;
/** Number of tenants, more than are delivered in a round. */
const SUBSCRIBED = 30_000;
const P99_MS = 50;
/**
 * Both plan their statements again. Until autovacuum has analyzed the tables, which takes a minute,
 * plans are for empty tables.
 */
const GATHER_STATISTICS = 'ANALYZE webhook_events, subscriptions, graphile_worker._private_jobs';

/**
 * Compares deliveries of renewals between service and baseline. Each delivery is a new event of
 * another tenant. Their jobs stay in the queue.
 */
export async function compareDeliveries({
  server: { folder },
  options,
  prepare,
  report,
  say,
}: BenchRun): Promise<void> {
  const { settings, superuser } = await prepare('deliveries', SMALL);
  await addTenants(superuser, SMALL / MEMBERS + 1, SUBSCRIBED);
  await subscribe(superuser, SUBSCRIBED);
  const billed = { ...settings, ...BILLING, WORKER: 'off' };
  const service = await startServer('service', billed, folder);
  const baseline = await startServer('baseline', { ...billed, DATABASE_URL: superuser }, folder);
  const renewals = new Renewals(SUBSCRIBED);
  const amounts = new Map<BenchServer, number>();
  for (const server of [service, baseline]) {
    await deliver(server.url, renewals.sign(SAMPLE));
    const { perSecond } = await deliver(server.url, renewals.sign(SAMPLE));
    amounts.set(server, Math.ceil(perSecond * options.seconds));
  }
  await rowsOf(superuser, GATHER_STATISTICS);
  let stored = renewals.sign(SAMPLE);
  const first = async (server: BenchServer) => {
    stored = renewals.sign(amounts.get(server)!);
    return (await deliver(server.url, stored)).perSecond;
  };
  const sides = {
    baseline: () => first(baseline),
    service: () => first(service),
    repeated: async () => (await deliver(service.url, stored)).perSecond,
  };
  const { rounds: count } = options;
  const rounds = await interleave('POST /webhooks/stripe', sides, { rounds: count, say });
  report.add(rateFigure('POST /webhooks/stripe, first deliveries', rounds, ['service', 'baseline'], 0.8));
  report.add(rateFigure('deliveries of a stored event against first ones', rounds, ['repeated', 'service'], 3));

  const half = rounds.median('service') / 2;
  const sample = () => renewals.sign(Math.ceil(half * options.seconds));
  const stalls = {
    service: () => p99OfDeliveries(service.url, sample(), half),
    baseline: () => p99OfDeliveries(baseline.url, sample(), half),
  };
  const p99 = await interleave('p99 of deliveries', stalls, { rounds: count, say });
  const shown = (side: keyof typeof stalls) => {
    const { median, min, max } = spreadOf(p99.figures.map((round) => round[side]));
    return `${median.toFixed(1)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
  };
  report.add({
    work: 'p99 of deliveries at half that rate',
    measured: `${shown('service')} at ${half.toFixed(0)}/s`,
    reference: `${shown('baseline')} of the baseline`,
    disturbed: p99.disturbed,
    ...atMost(P99_MS, p99.median('service'), ' ms'),
  });
  await Promise.all([service.stop(), baseline.stop()]);
  await assertProcessed(superuser);
}

/** Checks that the measured deliveries were processed. */
async function assertProcessed(url: string): Promise<void> {
  const [{ undone, tenants, renewed, ...rest }] = await rowsOf<
    Record<'undone' | 'tenants' | 'renewed' | 'jobs', string>
  >(
    url,
    `SELECT count(*) FILTER (WHERE status <> 'processed' OR error IS NOT NULL) AS undone,
      count(DISTINCT tenant_id) AS tenants,
            (SELECT count(*) FROM subscriptions WHERE current_period_end > now() + interval '2 days') AS renewed,
            (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier = 'sync-subscription') AS jobs
       FROM webhook_events`,
  );
  if (undone !== '0' || renewed !== tenants || rest.jobs !== tenants) {
    throw new Error(
      `${undone} events were not processed; ${renewed} of ${tenants} tenants were renewed, ${rest.jobs} jobs enqueued`,
    );
  }
}
