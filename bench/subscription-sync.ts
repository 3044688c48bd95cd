import { Client } from 'pg';
import Stripe from 'stripe';
import { v7 } from 'uuid';
import { syncAllSubscriptionsJob, SyncAllSubscriptions } from '../src/billing/sync/commands/sync-all-subscriptions';
import { taskOf } from '../src/platform/jobs/jobs';
import type { Bench } from './billing';
import { addTenants, idOf, rowsOf } from './seed-data';
import { startProcessor, startServer, type BenchProcessor } from './servers';

export interface SyncFigures {
  readonly calls: number;
  readonly seconds: number;
  readonly corrected: number;
  /** Subscriptions that still differ from Stripe. */
  readonly wrong: number;
  /** Memory in MB: before the sync, and the maximum during it. */
  readonly memory: { readonly idle: number; readonly peak: number };
}

/** One in this many subscriptions has drifted. */
export const DRIFTED = 100;

/**
 * Measures a sync of all subscriptions with the stand-in for Stripe. One in a hundred has drifted.
 * @param url address of the database for a superuser
 */
export async function measureSync(
  url: string,
  settings: NodeJS.ProcessEnv,
  tenants: { readonly known: number; readonly all: number },
  { folder, say }: Bench,
): Promise<SyncFigures> {
  await addTenants(url, tenants.known + 1, tenants.all);
  const ids = Array.from({ length: tenants.all }, (_, i) => idOf(4, i + 1));
  const processor = await startProcessor(ids, folder);
  say(`  copying ${tenants.all} subscriptions …`);
  await copySubscriptions(url, processor);
  await drift(url);
  const service = await startServer(
    'service',
    { ...settings, ...processor.settings, SUBSCRIPTION_SYNC_CRON: '0 0 29 2 *' },
    folder,
  );
  await new Promise((resolve) => setTimeout(resolve, 2000)); // until the garbage of the start is collected
  const idle = service.memory();
  const before = await listCalls(processor);
  const start = performance.now();
  const runId = await beginSync(url);
  let peak = idle;
  let corrected: number | undefined;
  while (corrected === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    peak = Math.max(peak, service.memory());
    const [run] = await rowsOf<{ corrected: number }>(
      url,
      'SELECT corrected FROM sync_runs WHERE id = $1 AND finished_at IS NOT NULL',
      [runId],
    );
    corrected = run?.corrected;
  }
  const seconds = (performance.now() - start) / 1000;
  const calls = (await listCalls(processor)) - before;
  const [{ wrong }] = await rowsOf<{ wrong: string }>(
    url,
    `SELECT count(*) AS wrong FROM subscriptions s JOIN bench_truth t USING (tenant_id)
       WHERE (s.plan, s.status, s.current_period_end) IS DISTINCT FROM (t.plan, t.status, t.current_period_end)`,
  );
  await service.stop();
  await processor.stop();
  say(
    `  sync of ${tenants.all}: ${seconds.toFixed(1)} s, ${calls} calls, ${corrected} corrected, ` +
      `${idle} MB before, ${peak} MB at most`,
  );
  return { calls, seconds, corrected, wrong: Number(wrong), memory: { idle, peak } };
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
        current_period_end, updated_at,
                                  processor_status, subscription_created_at, as_of)
       SELECT (s->'metadata'->>'tenantId')::uuid, s->>'customer', s->>'id', 'Pro', 'Active',
         to_timestamp((s->'items'->'data'->0->>'current_period_end')::bigint),
              now(), 'active', to_timestamp((s->>'created')::bigint), to_timestamp((s->>'created')::bigint)
                FROM jsonb_array_elements($1::jsonb) s`,
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
