import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '../chaos/group-by';
import type { ChaosTenant } from '../chaos/tenant-seed';
import type { ServiceProcess } from '../chaos/service-process';
import type { Environment } from './environment';
import { sendRequest } from './http-request';
import { newTenants } from './seed-data';

/** More of them: `KILLS=1000 npm run faults -- idempotency`. */
const KILLS = Number(process.env.KILLS ?? 40);
/** Writes that are sent to the instance at the same moment, before it is killed. */
const AT_ONCE = 10;
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 250;

const SUBSCRIBE = `INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
  SELECT id, 'Business', 'Active', now() FROM unnest($1::uuid[]) AS id
  ON CONFLICT (tenant_id) DO UPDATE SET plan = 'Business', status = 'Active'`;
/** As if a minute had passed. A claim whose transaction is being committed is answered then. */
const LET_CLAIMS_DIE = `UPDATE idempotency_keys SET claimed_until = now() - interval '1 second' WHERE answer IS NULL`;
const COUNT = `SELECT count(*)::int AS claimed, count(answer)::int AS committed
  FROM idempotency_keys WHERE created_at >= $1`;
const CREATED = 'SELECT id, name FROM projects WHERE tenant_id = ANY($1)';

/** A project that is to be created once. Its name is its idempotency key, too. */
interface Write {
  readonly name: string;
  readonly token: string;
  /** The ids of all successful responses. */
  readonly ids: string[];
}

/** In which state the kills have found the writes. */
const found = { unclaimed: 0, uncommitted: 0, unanswered: 0, answered: 0 };

/**
 * Kills an instance again and again while it creates projects with an Idempotency-Key, and repeats
 * each at the other instance until it is answered. Each must exist once, and have one answer.
 */
export async function killDuringWrites(environment: Environment): Promise<string[]> {
  const { postgres, services } = environment;
  const [victim, survivor] = services;
  const tenants = await newTenants(environment, 'killed-writes', AT_ONCE);
  await postgres.sql(SUBSCRIBE, [tenants.map(({ id }) => id)]);
  const writes: Write[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const ms = await warmUp(victim, tenants, writes);
    const round = writesFor(tenants);
    writes.push(...round);
    const [{ now }] = await postgres.sql<{ now: Date }>('SELECT now() AS now');
    const sent = round.map((write) => send(victim, write));
    await pause(Math.random() * ms);
    await victim.kill();
    await Promise.all(sent);
    victim.launch();
    const [{ claimed, committed }] = await postgres.sql<{ claimed: number; committed: number }>(COUNT, [now]);
    const answered = round.filter(({ ids }) => ids.length > 0).length;
    found.unclaimed += round.length - claimed;
    found.uncommitted += claimed - committed;
    found.unanswered += committed - answered;
    found.answered += answered;
    await postgres.sql(LET_CLAIMS_DIE);
    await Promise.all(round.map((write) => repeat(survivor, write)));
    await victim.untilReady();
  }
  const { unclaimed, uncommitted, unanswered, answered } = found;
  process.stdout.write(
    `  ${KILLS} kills during ${KILLS * AT_ONCE} writes: ${unclaimed} before the claim, ${uncommitted} before COMMIT, ` +
      `${unanswered} before the answer, ${answered} answered\n`,
  );
  return check(writes, await postgres.sql<{ id: string; name: string }>(CREATED, [tenants.map(({ id }) => id)]));
}

const writesFor = (tenants: readonly ChaosTenant[]): Write[] =>
  tenants.map(({ token }) => ({ name: randomUUID(), token, ids: [] }));

/** A restarted instance is slow at first. @returns milliseconds that the writes take together */
async function warmUp(service: ServiceProcess, tenants: readonly ChaosTenant[], writes: Write[]): Promise<number> {
  let ms = 0;
  for (let i = 0; i < 3; i++) {
    const round = writesFor(tenants);
    writes.push(...round);
    const start = performance.now();
    await Promise.all(round.map((write) => send(service, write)));
    ms = performance.now() - start;
  }
  return ms;
}

/** @returns whether it was answered */
async function send({ address }: ServiceProcess, { name, token, ids }: Write): Promise<boolean> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'Idempotency-Key': name,
  };
  const url = `${address}/api/v1/tenants/current/projects`;
  const response = await sendRequest({ url, headers, body: JSON.stringify({ name }) }, TIMEOUT_MS).catch(
    () => undefined,
  );
  if (response?.status !== 200) return false;
  ids.push((JSON.parse(response.text) as { data: { id: string } }).data.id);
  return true;
}

async function repeat(service: ServiceProcess, write: Write): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS && !(await send(service, write)); attempt++)
    await pause(BETWEEN_ATTEMPTS_MS);
}

function check(writes: readonly Write[], projects: readonly { id: string; name: string }[]): string[] {
  const created = groupBy(projects, ({ name }) => name);
  const count = (isWrong: (write: Write, there: readonly { id: string }[]) => boolean) =>
    writes.filter((write) => isWrong(write, created.get(write.name) ?? [])).length;
  const wrong = {
    unanswered: count(({ ids }) => ids.length === 0),
    lost: count((_write, there) => there.length === 0),
    double: count((_write, there) => there.length > 1),
    'with another answer': count(({ ids }, there) => ids.some((id) => id !== there[0]?.id)),
  };
  const isEffective = found.uncommitted > 0 && found.unanswered > 0;
  return [
    ...Object.entries(wrong).flatMap(([what, number]) => (number > 0 ? [`${number} writes ${what}`] : [])),
    ...(isEffective ? [] : ['no write was interrupted']),
  ];
}
