import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import Stripe from 'stripe';
import { v7 } from 'uuid';
import { syncAllSubscriptionsJob, SyncAllSubscriptions } from '../src/billing/sync/commands/sync-all-subscriptions';
import { taskOf } from '../src/platform/jobs/jobs';
import { SMALL, type BenchRun } from './bench-run';
import { atMost, type Limit } from './report';
import { addTenants, idOf, MEMBERS, rowsOf } from './seed-data';
import { startProcessor, startServer, type BenchProcessor, type BenchServer } from './servers';

/** One in this many subscriptions has drifted. */
const DRIFTED = 100;
const LIMITS = { seconds: 90, megabytes: 60, spareCalls: 10 };

/**
 * Measures a sync of all subscriptions with the stand-in for Stripe. One in a hundred has drifted.
 */
export async function measureSync({ server: { folder }, options, prepare, report, say }: BenchRun): Promise<void> {
  const { settings, superuser } = await prepare('sync', SMALL);
  const count = options.isQuick ? 5000 : 100_000;
  await addTenants(superuser, SMALL / MEMBERS + 1, count);
  const processor = await startProcessor(
    Array.from({ length: count }, (_, i) => idOf(4, i + 1)),
    folder,
  );
  say(`  copying ${count} subscriptions …`);
  await copySubscriptions(superuser, processor);
  await drift(superuser);
  const service = await startServer(
    'service',
    { ...settings, ...processor.settings, SUBSCRIPTION_SYNC_CRON: '0 0 29 2 *' },
    folder,
  );
  await pause(2000); // until the garbage of the start is collected
  const [idle, before, start] = [service.memory(), await listCalls(processor), performance.now()];
  const { corrected, peak } = await untilSynced(superuser, await beginSync(superuser), service);
  const seconds = (performance.now() - start) / 1000;
  const calls = (await listCalls(processor)) - before;
  await service.stop();
  await processor.stop();

  const add = (what: string, measured: string, limit: Limit) =>
    report.add({ work: `sync of ${count} subscriptions: ${what}`, measured, ...limit });
  add('list calls', String(calls), atMost(count / 100 + LIMITS.spareCalls, calls));
  add('duration', `${seconds.toFixed(0)} s`, atMost(LIMITS.seconds, seconds, ' s'));
  const memory = `${peak - idle} MB above ${idle} MB`;
  add('peak memory above idle', memory, atMost(LIMITS.megabytes, peak - idle, ' MB'));
  const wrong = await countWrong(superuser);
  const isMet = corrected === count / DRIFTED && wrong === 0;
  add('corrected', `${corrected}; ${wrong} still differ`, { limit: `all ${count / DRIFTED}`, isMet });
}

/** Waits for the end of a run. @returns corrected subscriptions, and the most memory in MB */
async function untilSynced(url: string, runId: string, service: BenchServer) {
  let peak = 0;
  for (;;) {
    await pause(100);
    peak = Math.max(peak, service.memory());
    const finished = 'SELECT corrected FROM sync_runs WHERE id = $1 AND finished_at IS NOT NULL';
    const [run] = await rowsOf<{ corrected: number }>(url, finished, [runId]);
    if (run) return { corrected: run.corrected, peak };
  }
}

/** How many subscriptions still differ from Stripe. */
async function countWrong(url: string): Promise<number> {
  const [{ wrong }] = await rowsOf<{ wrong: string }>(
    url,
    `SELECT count(*) AS wrong FROM subscriptions s JOIN bench_truth t USING (tenant_id)
      WHERE (s.plan, s.status, s.current_period_end) IS DISTINCT FROM (t.plan, t.status, t.current_period_end)`,
  );
  return Number(wrong);
}

/** Copies the subscriptions of the stand-in into the database, and into a table to compare with. */
async function copySubscriptions(url: string, processor: BenchProcessor): Promise<void> {
  const { hostname, port } = new URL(processor.url);
  const stripe = new Stripe(processor.settings.PROCESSOR_SECRET_KEY, {
    protocol: 'http',
    host: hostname,
    port,
    telemetry: false,
  });
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let after: string | undefined, hasMore = true; hasMore;) {
    const page = await stripe.subscriptions.list({ status: 'all', limit: 100, starting_after: after });
    await client.query(
      `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status,
              current_period_end, price_id, billing_interval, currency, seats, updated_at, processor_status,
              subscription_created_at, as_of)
       SELECT (s->'metadata'->>'tenantId')::uuid, s->>'customer', s->>'id', 'Pro', 'Active',
              to_timestamp((item->>'current_period_end')::bigint), item->'price'->>'id',
              item->'price'->'recurring'->>'interval', s->>'currency',
              CASE item->'price'->>'billing_scheme' WHEN 'tiered' THEN (item->>'quantity')::integer END, now(),
              'active', to_timestamp((s->>'created')::bigint), to_timestamp((s->>'created')::bigint)
         FROM jsonb_array_elements($1::jsonb) s, jsonb_path_query(s, '$.items.data[0]') item`,
      [JSON.stringify(page.data)],
    );
    after = page.data.at(-1)?.id;
    hasMore = page.has_more;
  }
  await client.query(
    'CREATE TABLE bench_truth AS SELECT tenant_id, plan, status, current_period_end FROM subscriptions',
  );
  await client.end();
}

/**
 * Changes one in DRIFTED rows: a third get another plan, a third another status, a third another
 * end.
 */
async function drift(url: string): Promise<void> {
  await rowsOf(
    url,
    `UPDATE subscriptions s SET plan = CASE n / $1 % 3 WHEN 0 THEN 'Business' ELSE plan END,
      status = CASE n / $1 % 3 WHEN 1 THEN 'Paused' ELSE status END,
            current_period_end = current_period_end - CASE n / $1 % 3 WHEN 2 THEN interval '1 month' ELSE '0' END
       FROM (SELECT tenant_id, row_number() OVER (ORDER BY tenant_id) AS n FROM subscriptions) numbered
      WHERE numbered.tenant_id = s.tenant_id AND n % $1 = 0`,
    [DRIFTED],
  );
  await rowsOf(url, 'VACUUM ANALYZE subscriptions');
}

/** Starts a sync like the schedule does. @returns the id of the run */
async function beginSync(url: string): Promise<string> {
  const runId = v7();
  const { command, key } = syncAllSubscriptionsJob(runId);
  await rowsOf(url, 'INSERT INTO sync_runs (id, slot, started_at) VALUES ($1, now(), now())', [runId]);
  const payload = JSON.stringify({ command, requestId: 'bench' });
  await rowsOf(url, 'SELECT graphile_worker.add_job($1, payload => $2::json, job_key => $3)', [
    taskOf(SyncAllSubscriptions)!.task,
    payload,
    key,
  ]);
  return runId;
}

/** How many pages were requested from the stand-in. */
async function listCalls({ url }: BenchProcessor): Promise<number> {
  const calls = (await (await fetch(`${url}/_control/calls`)).json()) as Record<string, number>;
  return calls['GET /v1/subscriptions'] ?? 0;
}
