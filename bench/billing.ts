import { addTenants, rowsOf, subscribe } from './seed-data';
import { Renewals, WEBHOOK, WEBHOOK_SECRET } from './webhook-deliveries';
import { deliver, me } from './load-drivers';
import { median } from './statistics';
import { p99OfDeliveries } from './latency-probe';
import type { QueryCounter, Traffic } from './query-counter';
import { startServer, type BenchServer } from './servers';

/** The parameters that all parts of a run share. */
export interface Bench {
  readonly folder: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/**
 * Settings with the prices of the stand-in and the secret of the signed deliveries.
 */
export const BILLING = {
  PROCESSOR_SECRET_KEY: 'sk_test_unused', // never used: calls to Stripe are jobs, and no worker runs
  PROCESSOR_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PROCESSOR_PRO_PRICE_ID: 'price_pro_monthly',
  PROCESSOR_BUSINESS_PRICE_ID: 'price_business_monthly',
};

/** Number of deliveries that is enough to measure their rate. */
const SAMPLE = 1000;

export interface DeliveryFigures {
  /** Deliveries of new events per second. */
  readonly baseline: number;
  readonly service: number;
  /** Deliveries per second of events that the service has already stored. */
  readonly repeated: number;
  /** Milliseconds, at half the rate of the service. */
  readonly p99: number;
}

/**
 * Compares deliveries of renewals between baseline and service, in alternating
 * rounds. Each delivery
 * is a new event of another tenant. Their jobs stay in the queue.
 * @param url address of the database for a superuser
 * @param tenants number of tenants, more than are delivered in a round
 */
export async function compareDeliveries(
  url: string,
  settings: NodeJS.ProcessEnv,
  tenants: { readonly known: number; readonly all: number },
  { folder, rounds, seconds, say }: Bench,
): Promise<DeliveryFigures> {
  await addTenants(url, tenants.known + 1, tenants.all);
  await subscribe(url, tenants.all);
  const renewals = new Renewals(tenants.all);
  const [baseline, service] = await Promise.all(
    (['baseline', 'service'] as const).map((name) =>
      startServer(name, { ...settings, ...BILLING, WORKER: 'off' }, folder),
    ),
  );
  const measure = async (server: BenchServer, deliveries = renewals.sign(SAMPLE)) => {
    const { perSecond, p50, p99, failed } = await deliver(server.url, deliveries);
    if (failed > 0) throw new Error(`${failed} deliveries failed`);
    return { perSecond, p50, p99 };
  };
  const counts = new Map<BenchServer, number>();
  for (const server of [baseline, service]) {
    await measure(server);
    counts.set(server, Math.ceil((await measure(server)).perSecond * seconds));
  }
  const rates = { baseline: [] as number[], service: [] as number[], repeated: [] as number[] };
  const stalls: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const deliveries = renewals.sign(counts.get(service)!);
    const figures = {
      baseline: await measure(baseline, renewals.sign(counts.get(baseline)!)),
      service: await measure(service, deliveries),
      repeated: await measure(service, deliveries),
    };
    for (const what of Object.keys(rates) as (keyof typeof rates)[]) {
      const { perSecond, p50, p99 } = figures[what];
      rates[what].push(perSecond);
      say(
        `  deliveries, round ${round}: ${what.padEnd(8)} ` +
          `${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms`,
      );
    }
    const half = figures.service.perSecond / 2;
    stalls.push(await p99OfDeliveries(service.url, renewals.sign(Math.ceil(half * seconds)), half));
    say(`  deliveries, round ${round}: p99 ${stalls.at(-1)!.toFixed(1)} ms at ${half.toFixed(0)}/s`);
  }
  await Promise.all([baseline.stop(), service.stop()]);
  await assertProcessed(url);
  return {
    baseline: median(rates.baseline),
    service: median(rates.service),
    repeated: median(rates.repeated),
    p99: median(stalls),
  };
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
            (SELECT count(*) FROM graphile_worker.jobs) AS jobs
       FROM webhook_events`,
  );
  if (undone !== '0' || renewed !== tenants || rest.jobs !== tenants) {
    throw new Error(
      `${undone} events were not processed; ${renewed} of ${tenants} tenants were renewed, ${rest.jobs} jobs enqueued`,
    );
  }
}

/**
 * Compares GET /auth/me with and without the guard that attaches the tenant's subscription from the
 * cache to each request: milliseconds of CPU time per request. Other load on the machine affects
 * CPU time much less than the rate.
 */
export async function compareGuard(
  settings: NodeJS.ProcessEnv,
  tokens: string[],
  { folder, rounds, seconds, say }: Bench,
) {
  const names = ['service', 'unguarded'] as const;
  const servers = await Promise.all(
    names.map((name) => startServer(name, { ...settings, ...BILLING, WORKER: 'off' }, folder)),
  );
  const times = { service: [] as number[], unguarded: [] as number[] };
  for (const { url } of servers) await me(url, tokens, 2 * seconds);
  for (let round = 0; round < rounds; round++) {
    // The order alternates, because other load on the machine varies.
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const before = server.computed();
      const { answered, failed } = await me(server.url, tokens, 2);
      if (failed > 0) throw new Error(`${failed} requests of me failed`);
      times[server.name as keyof typeof times].push((server.computed() - before) / answered);
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  const [guarded, unguarded] = [median(times.service), median(times.unguarded)];
  say(`  me: ${guarded.toFixed(3)} ms with the plan from the cache, ${unguarded.toFixed(3)} ms without`);
  return { guarded, unguarded };
}

/** Counts the statements of a delivery: of a new event, and of the same event again. */
export async function countDeliveries(
  server: BenchServer,
  counter: QueryCounter,
  tenants: number,
): Promise<[string, Traffic][]> {
  const post = async ({ headers, body }: ReturnType<Renewals['sign']>[number]) => {
    const { status } = await fetch(`${server.url}${WEBHOOK}`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`the delivery returned ${status}`);
  };
  const [warmUp, delivery] = new Renewals(tenants).sign(2);
  await post(warmUp);
  return [
    ['POST /webhooks/stripe, a renewal', await counter.during(() => post(delivery))],
    ['POST /webhooks/stripe, the same again', await counter.during(() => post(delivery))],
  ];
}
