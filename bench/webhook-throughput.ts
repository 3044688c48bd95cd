import { setTimeout as sleep } from 'node:timers/promises';
import { isoTime } from '../src/platform/database/select-list';
import { tokenOfOwner } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { atLeast, atMost } from './report';
import { idOf, rowsOf } from './seed-data';
import { startSink, startServer, type BenchSink } from './servers';
import { HANGING_PATH } from './webhook-sink';

/** Tenants with an endpoint each. */
const TENANTS = 100;
/** Messages to each of them in a round. */
const EACH = 50;
const LEAST_PER_SECOND = 1000;
const P99_MS = 250;
const LEAST_SHARE = 0.95;
/** Milliseconds between the messages whose latency is measured, and how many of them at a time. */
const PAUSE_MS = 20;
const AT_A_TIME = 5;
/** Milliseconds for the messages of a round. */
const LONGEST_MS = 60_000;

/** Messages as if each were committed now; $1: tenants, $2: messages to each. */
const ADD = `
  WITH added AS (
    INSERT INTO webhook_messages (tenant_id, id, type, body, is_pending)
    SELECT t::uuid, gen_random_uuid(), 'project.created', json_build_object('type', 'project.created',
           'timestamp', ${isoTime('clock_timestamp()')},
           'tenantId', t, 'data', json_build_object('id', t, 'name', 'Loom'))::text, true
      FROM unnest($1::text[]) t, generate_series(1, $2::int))
  SELECT pg_notify('tenantry_webhooks', '')`;

/** What a hanging endpoint leaves is removed, and its failures are forgotten. */
const CLEAN = `
  WITH removed AS (DELETE FROM webhook_deliveries WHERE state = 'due')
  UPDATE webhook_endpoints SET url = $1, failures = 0, failing_since = NULL, is_slow = false
   WHERE failures > 0 OR is_slow OR url <> $1`;

const tenantIds = Array.from({ length: TENANTS }, (_, i) => idOf(4, i + 1));

/** Measures webhooks to a receiver on this machine that one process sends. */
export async function measureWebhooks({ server: { folder }, options, prepare, report, say }: BenchRun): Promise<void> {
  const { settings, superuser } = await prepare('webhooks', SMALL);
  const sink = await startSink(folder);
  // production refuses receivers on this machine
  const local = { ...settings, NODE_ENV: 'development', WEBHOOK_ALLOW_LOOPBACK: 'true' };
  const service = await startServer('service', local, folder);
  await rowsOf(superuser, 'UPDATE sessions SET proved_at = now()'); // creating endpoints needs a fresh proof
  for (let tenant = 1; tenant <= TENANTS; tenant++) await addEndpoint(service.url, tenant, sink.url);
  await rowsOf(superuser, 'UPDATE webhook_endpoints SET verified_at = now()'); // without their challenges
  await rowsOf(superuser, "UPDATE tenants SET webhook_types = ARRAY['*'] WHERE id = ANY($1)", [tenantIds]);
  const send = async (tenants: readonly string[]) => {
    await sink.reset();
    await rowsOf(superuser, ADD, [tenantIds, EACH]);
    const { count, elapsed } = await sink.until(tenants.length * EACH, LONGEST_MS);
    return (count / elapsed) * 1000;
  };
  const fine = () => send(tenantIds);
  const hanging = async () => {
    const [hangs, ...others] = tenantIds;
    const url = new URL(HANGING_PATH, sink.url).href;
    await rowsOf(superuser, 'UPDATE webhook_endpoints SET url = $1 WHERE tenant_id = $2', [url, hangs]);
    const perSecond = await send(others);
    for (let i = 0; i < 3; i++) {
      await sink.reset(); // a request on a kept connection is sent once more
      await sleep(300);
    }
    await rowsOf(superuser, CLEAN, [sink.url]);
    return perSecond;
  };
  for (let i = 0; i < 2; i++) await fine();
  const work = `webhooks to ${TENANTS} endpoints`;
  const rounds = await interleave(work, { hanging, fine }, { rounds: options.rounds, say });
  const rate = rounds.median('fine');
  const { disturbed } = rounds;
  report.add({ work, measured: `${rate.toFixed(0)}/s`, disturbed, ...atLeast(LEAST_PER_SECOND, rate) });
  const ratio = rounds.ratio('hanging', 'fine');
  report.add({
    work: 'the same with one that hangs, to the 99 others',
    measured: `${rounds.median('hanging').toFixed(0)}/s`,
    reference: `${rate.toFixed(0)}/s`,
    ratio,
    disturbed,
    ...atLeast(LEAST_SHARE, ratio.median),
  });
  const paced = { p99: () => p99OfPaced(superuser, sink, options.seconds) };
  const latency = await interleave('p99 of webhooks', paced, { rounds: options.rounds, say });
  const p99 = latency.median('p99');
  report.add({
    work: `p99 from the event to the receiver at ${(AT_A_TIME * 1000) / PAUSE_MS}/s`,
    measured: `${p99.toFixed(0)} ms`,
    disturbed: latency.disturbed,
    ...atMost(P99_MS, p99, ' ms'),
  });
  await Promise.all([service.stop(), sink.stop()]);
}

async function p99OfPaced(superuser: string, sink: BenchSink, seconds: number): Promise<number> {
  await sink.reset();
  const started = Date.now();
  let sent = 0;
  for (let i = 0; Date.now() - started < seconds * 1000; i++) {
    const from = (i * AT_A_TIME) % TENANTS;
    await rowsOf(superuser, ADD, [tenantIds.slice(from, from + AT_A_TIME), 1]);
    sent += AT_A_TIME;
    await sleep(Math.max(0, started + (i + 1) * PAUSE_MS - Date.now()));
  }
  return (await sink.until(sent, LONGEST_MS)).p99;
}

async function addEndpoint(service: string, tenant: number, url: string): Promise<void> {
  const { status } = await fetch(`${service}/api/v1/tenants/current/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOfOwner(tenant)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (status !== 200) throw new Error(`An endpoint was refused with ${status}`);
}
