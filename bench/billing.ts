import { v7 } from 'uuid';
import { Client } from 'pg';
import Stripe from 'stripe';
import { syncAll, SyncSubscriptions } from '../src/billing/commands/sync-subscriptions';
import { taskOf } from '../src/platform/jobs';
import { addTenants, idOf, subscribe } from './data';
import { Renewals, WEBHOOK, WEBHOOK_SECRET } from './deliveries';
import { deliver, me } from './drivers';
import { median } from './median';
import { p99OfDeliveries } from './probe';
import type { QueryCounter, Traffic } from './query-counter';
import { startProcessor, startServer, type BenchProcessor, type BenchServer } from './servers';

/** What a run gives to its parts. */
export interface Bench {
  readonly folder: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** The settings with which a delivery of the stand-in's prices and of our signature is understood. */
export const BILLING = {
  PROCESSOR_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PROCESSOR_PRO_PRICE_ID: 'price_pro_monthly',
  PROCESSOR_BUSINESS_PRICE_ID: 'price_business_monthly',
};

/** Enough to find out how many there are in a second. */
const SAMPLE = 1000;

export interface DeliveryFigures {
  /** First deliveries a second. */
  readonly floor: number;
  readonly service: number;
  /** Deliveries a second of events that the service has stored. */
  readonly repeated: number;
  /** Milliseconds, at half as many a second as the service took. */
  readonly p99: number;
  readonly memory: number;
}

/**
 * Renewals that the processor tells of: floor and service in turns, each delivery a new event of another tenant; what they put off stays in the queue.
 * @param url     address for a superuser
 * @param tenants how many there are; more than are delivered in a round
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
  const [floor, service] = await Promise.all(
    (['floor', 'service'] as const).map((name) => startServer(name, { ...settings, ...BILLING, WORKER: 'off' }, folder)),
  );
  const measure = async (server: BenchServer, deliveries = renewals.sign(SAMPLE)) => {
    const { perSecond, p50, p99, failed } = await deliver(server.url, deliveries);
    if (failed > 0) throw new Error(`${failed} deliveries failed`);
    return { perSecond, p50, p99 };
  };
  const counts = new Map<BenchServer, number>();
  for (const server of [floor, service]) {
    await measure(server);
    counts.set(server, Math.ceil((await measure(server)).perSecond * seconds));
  }
  const rates = { floor: [] as number[], service: [] as number[], repeated: [] as number[] };
  const stalls: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const deliveries = renewals.sign(counts.get(service)!);
    const figures = {
      floor: await measure(floor, renewals.sign(counts.get(floor)!)),
      service: await measure(service, deliveries),
      repeated: await measure(service, deliveries),
    };
    for (const what of Object.keys(rates) as (keyof typeof rates)[]) {
      const { perSecond, p50, p99 } = figures[what];
      rates[what].push(perSecond);
      say(`  deliveries, round ${round}: ${what.padEnd(8)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms`);
    }
    const half = figures.service.perSecond / 2;
    stalls.push(await p99OfDeliveries(service.url, renewals.sign(Math.ceil(half * seconds)), half));
    say(`  deliveries, round ${round}: p99 ${stalls.at(-1)!.toFixed(1)} ms at ${half.toFixed(0)}/s`);
  }
  const memory = service.memory();
  await Promise.all([floor.stop(), service.stop()]);
  await refuseUnprocessed(url);
  return { floor: median(rates.floor), service: median(rates.service), repeated: median(rates.repeated), p99: median(stalls), memory };
}

/** What was measured must have been done. */
async function refuseUnprocessed(url: string): Promise<void> {
  const [{ undone, tenants, renewed, ...rest }] = await rowsOf<Record<'undone' | 'tenants' | 'renewed' | 'jobs', string>>(
    url,
    `SELECT count(*) FILTER (WHERE status <> 'processed' OR error IS NOT NULL) AS undone, count(DISTINCT tenant_id) AS tenants,
            (SELECT count(*) FROM subscriptions WHERE current_period_end > now() + interval '2 days') AS renewed,
            (SELECT count(*) FROM graphile_worker.jobs) AS jobs
       FROM webhook_events`,
  );
  if (undone !== '0' || renewed !== tenants || rest.jobs !== tenants) {
    throw new Error(`${undone} events were not processed; ${renewed} of ${tenants} tenants were renewed, ${rest.jobs} jobs put off`);
  }
}

/** GET /auth/me of a service that puts the tenant's subscription, from its cache, onto every request, and of one that does not: requests a second. */
export async function compareGuard(settings: NodeJS.ProcessEnv, tokens: string[], { folder, rounds, seconds, say }: Bench) {
  const servers = await Promise.all((['service', 'unguarded'] as const).map((name) => startServer(name, { ...settings, ...BILLING }, folder)));
  const rates = { service: [] as number[], unguarded: [] as number[] };
  for (const { url } of servers) await me(url, tokens, seconds);
  for (let round = 0; round < rounds; round++) {
    // Whoever comes first changes from round to round: what else the machine does comes and goes.
    for (const { name, url } of round % 2 === 0 ? servers : servers.toReversed()) {
      const { perSecond, failed } = await me(url, tokens, 1);
      if (failed > 0) throw new Error(`${failed} requests of me failed`);
      rates[name as keyof typeof rates].push(perSecond);
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  const [guarded, unguarded] = [median(rates.service), median(rates.unguarded)];
  say(`  me: ${guarded.toFixed(0)}/s with the plan from the cache, ${unguarded.toFixed(0)}/s without`);
  return { guarded, unguarded };
}

/** What a delivery sends to the database: a new event, and the same once more. */
export async function countDeliveries(server: BenchServer, counter: QueryCounter, tenants: number): Promise<[string, Traffic][]> {
  const post = async ({ headers, body }: ReturnType<Renewals['sign']>[number]) => {
    const { status } = await fetch(`${server.url}${WEBHOOK}`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`the delivery was answered with ${status}`);
  };
  const [warmUp, delivery] = new Renewals(tenants).sign(2);
  await post(warmUp);
  return [
    ['POST /webhooks/stripe, a renewal', await counter.during(() => post(delivery))],
    ['POST /webhooks/stripe, the same again', await counter.during(() => post(delivery))],
  ];
}

export interface SyncFigures {
  readonly calls: number;
  readonly seconds: number;
  readonly corrected: number;
  /** Subscriptions that are still otherwise than at the processor. */
  readonly wrong: number;
  /** MB: before the sync, and the most while it ran. */
  readonly memory: { readonly idle: number; readonly peak: number };
}

/** One in so many is otherwise here. */
export const DRIFTED = 100;

/** A sync of all subscriptions with the stand-in for the processor, of which one in a hundred has drifted. @param url address for a superuser */
export async function measureSync(
  url: string,
  settings: NodeJS.ProcessEnv,
  tenants: { readonly known: number; readonly all: number },
  { folder, say }: Bench,
): Promise<SyncFigures> {
  await addTenants(url, tenants.known + 1, tenants.all);
  const ids = Array.from({ length: tenants.all }, (_, i) => idOf(4, i + 1));
  const processor = await startProcessor(ids, folder);
  say(`  mirroring ${tenants.all} subscriptions …`);
  await mirror(url, processor);
  await drift(url);
  const service = await startServer('service', { ...settings, ...processor.settings, SUBSCRIPTION_SYNC_CRON: '0 0 29 2 *' }, folder);
  await new Promise((resolve) => setTimeout(resolve, 2000)); // what a start leaves behind is cleared away
  const idle = service.memory();
  const before = await listCalls(processor);
  const start = performance.now();
  const runId = await beginSync(url);
  let peak = idle;
  let corrected: number | undefined;
  while (corrected === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    peak = Math.max(peak, service.memory());
    const [run] = await rowsOf<{ corrected: number }>(url, 'SELECT corrected FROM sync_runs WHERE id = $1 AND finished_at IS NOT NULL', [runId]);
    corrected = run?.corrected;
  }
  const seconds = (performance.now() - start) / 1000;
  const calls = (await listCalls(processor)) - before;
  const [{ wrong }] = await rowsOf<{ wrong: string }>(
    url,
    'SELECT count(*) AS wrong FROM subscriptions s JOIN bench_truth t USING (tenant_id) WHERE (s.plan, s.status, s.current_period_end) IS DISTINCT FROM (t.plan, t.status, t.current_period_end)',
  );
  await service.stop();
  await processor.stop();
  say(`  sync of ${tenants.all}: ${seconds.toFixed(1)} s, ${calls} calls, ${corrected} corrected, ${idle} MB before and ${peak} MB at most`);
  return { calls, seconds, corrected, wrong: Number(wrong), memory: { idle, peak } };
}

/** Makes our rows what the processor's stand-in knows, with a copy to compare with afterwards. */
async function mirror(url: string, processor: BenchProcessor): Promise<void> {
  const { hostname, port } = new URL(processor.url);
  const stripe = new Stripe(processor.settings.PROCESSOR_SECRET_KEY, { protocol: 'http', host: hostname, port, telemetry: false });
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let after: string | undefined, hasMore = true; hasMore;) {
    const page = await stripe.subscriptions.list({ status: 'all', limit: 100, starting_after: after });
    await client.query(
      `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status, current_period_end, updated_at,
                                  processor_status, subscription_created_at, as_of)
       SELECT (s->'metadata'->>'tenantId')::uuid, s->>'customer', s->>'id', 'Pro', 'Active', to_timestamp((s->'items'->'data'->0->>'current_period_end')::bigint),
              now(), 'active', to_timestamp((s->>'created')::bigint), to_timestamp((s->>'created')::bigint) FROM jsonb_array_elements($1::jsonb) s`,
      [JSON.stringify(page.data)],
    );
    after = page.data.at(-1)?.id;
    hasMore = page.has_more;
  }
  await client.query('CREATE TABLE bench_truth AS SELECT tenant_id, plan, status, current_period_end FROM subscriptions');
  await client.end();
}

/** A third of those that drift each: another plan, another status, another end. */
async function drift(url: string): Promise<void> {
  await rowsOf(
    url,
    `UPDATE subscriptions s SET plan = CASE n / $1 % 3 WHEN 0 THEN 'Business' ELSE plan END, status = CASE n / $1 % 3 WHEN 1 THEN 'Paused' ELSE status END,
            current_period_end = current_period_end - CASE n / $1 % 3 WHEN 2 THEN interval '1 month' ELSE '0' END
       FROM (SELECT tenant_id, row_number() OVER (ORDER BY tenant_id) AS n FROM subscriptions) numbered
      WHERE numbered.tenant_id = s.tenant_id AND n % $1 = 0`,
    [DRIFTED],
  );
  await rowsOf(url, 'VACUUM ANALYZE subscriptions');
}

/** As the schedule does. @returns the run's id */
async function beginSync(url: string): Promise<string> {
  const runId = v7();
  const { command, key } = syncAll(runId);
  await rowsOf(url, 'INSERT INTO sync_runs (id, slot, started_at) VALUES ($1, now(), now())', [runId]);
  const payload = JSON.stringify({ command, requestId: 'bench' });
  await rowsOf(url, 'SELECT graphile_worker.add_job($1, payload => $2::json, job_key => $3)', [taskOf(SyncSubscriptions), payload, key]);
  return runId;
}

/** How often the stand-in was asked for a page. */
async function listCalls({ url }: BenchProcessor): Promise<number> {
  const calls = (await (await fetch(`${url}/_control/calls`)).json()) as Record<string, number>;
  return calls['GET /v1/subscriptions'] ?? 0;
}

async function rowsOf<Row extends object>(url: string, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
