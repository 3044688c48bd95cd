import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '../chaos/group-by';
import type { ChaosTenant } from '../chaos/tenant-seed';
import { keyId } from '../../src/http/idempotency/keyed-request';
import type { SeededRandom } from '../stripe/seeded-random';
import type { ServiceProcess } from '../chaos/service-process';
import type { Environment } from './environment';
import { sendRequest } from './http-request';
import { newTenants } from './seed-data';

/** Writes that are sent to the instance at the same moment, before it is killed. */
const AT_ONCE = 10;
const TIMEOUT_MS = 10_000;
/** The kills are spread over this many times the duration of the writes. */
const SPREAD = 1.2;
const ATTEMPTS = 40;
const BETWEEN_ATTEMPTS_MS = 250;

const SUBSCRIBE = `INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
  SELECT id, 'Business', 'Active', now() FROM unnest($1::uuid[]) AS id
  ON CONFLICT (tenant_id) DO UPDATE SET plan = 'Business', status = 'Active'`;
/** As if a minute had passed since the kill. A claim that is being answered just then stays. */
const LET_CLAIMS_DIE = `UPDATE idempotency_keys SET claimed_until = $1
  WHERE answer IS NULL AND claimed_until > $1 AND claimed_until <= $1::timestamptz + interval '60 seconds'`;
const COUNT = `SELECT count(*)::int AS claimed, count(answer)::int AS committed
  FROM idempotency_keys WHERE id = ANY($1)`;
const CREATED = 'SELECT id, name FROM projects WHERE tenant_id = ANY($1)';

/** A project that is to be created once. Its name is its idempotency key, too. */
interface Write {
  readonly name: string;
  readonly token: string;
  /** The primary key of its idempotency key. */
  readonly keyId: Buffer;
  /** The ids of all successful responses. */
  readonly ids: string[];
}

/** In which state the kills have found the writes. */
class Found {
  unclaimed = 0;
  uncommitted = 0;
  unanswered = 0;
  answered = 0;
}

/**
 * Kills an instance again and again while it creates projects with an Idempotency-Key, and repeats
 * each at the other instance until it is answered. Each must exist once, and have one answer.
 * @returns what is wrong
 */
export async function killDuringWrites(
  environment: Environment,
  kills: number,
  random: SeededRandom,
  say: (line: string) => void,
): Promise<string[]> {
  const { postgres, services } = environment;
  const [victim, survivor] = services;
  const tenants = await newTenants(environment, 'killed-writes', AT_ONCE);
  const ids = tenants.map(({ id }) => id);
  await postgres.sql(SUBSCRIBE, [ids]);
  const writes: Write[] = [];
  const found = new Found();
  for (let kill = 1; kill <= kills; kill++) {
    const ms = await warmUp(victim, tenants, writes);
    const round = writesFor(tenants);
    writes.push(...round);
    const sent = round.map((write) => send(victim, write));
    await pause(random.next() * SPREAD * ms);
    await victim.kill();
    const killedAt = new Date();
    await Promise.all(sent);
    victim.launch();
    await count(environment, round, found);
    await repeatAll(environment, survivor, round, killedAt);
    await victim.untilReady();
    if (kill % 10 === 0 || kill === kills) say(`${kill} kills: ${JSON.stringify(found)}`);
  }
  return check(writes, found, await postgres.sql<{ id: string; name: string }>(CREATED, [ids]));
}

/** Counts by the rows that have appeared since: each write has a key of its own. */
async function count({ postgres }: Environment, round: readonly Write[], found: Found): Promise<void> {
  const [{ claimed, committed }] = await postgres.sql<{ claimed: number; committed: number }>(COUNT, [
    round.map(({ keyId }) => keyId),
  ]);
  const answered = round.filter(({ ids }) => ids.length > 0).length;
  found.unclaimed += round.length - claimed;
  found.uncommitted += claimed - committed;
  found.unanswered += committed - answered;
  found.answered += answered;
}

const writesFor = (tenants: readonly ChaosTenant[]): Write[] =>
  tenants.map(({ token, ownerId, id }) => {
    const name = randomUUID();
    return { name, token, keyId: keyId(['person', ownerId, null, id], name), ids: [] };
  });

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

/** Repeats the writes until each was answered at the other instance. */
async function repeatAll({ postgres }: Environment, service: ServiceProcess, writes: readonly Write[], killedAt: Date) {
  let left = writes;
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    if (attempt > 0) await pause(BETWEEN_ATTEMPTS_MS);
    await postgres.sql(LET_CLAIMS_DIE, [killedAt]); // each time: PostgreSQL may have executed a claim after the kill
    const sent = await Promise.all(left.map(async (write) => ({ write, isAnswered: await send(service, write) })));
    left = sent.filter(({ isAnswered }) => !isAnswered).map(({ write }) => write);
  }
}

function check(writes: readonly Write[], found: Found, projects: readonly { id: string; name: string }[]): string[] {
  const created = groupBy(projects, ({ name }) => name);
  const countOf = (isWrong: (write: Write, there: readonly { id: string }[]) => boolean) =>
    writes.filter((write) => isWrong(write, created.get(write.name) ?? [])).length;
  const wrong = {
    unanswered: countOf(({ ids }) => ids.length === 0),
    lost: countOf((_write, there) => there.length === 0),
    double: countOf((_write, there) => there.length > 1),
    'with another answer': countOf(({ ids }, there) => ids.some((id) => id !== there[0]?.id)),
  };
  const isEffective = found.uncommitted + found.unanswered > 0;
  return [
    ...Object.entries(wrong).flatMap(([what, number]) => (number > 0 ? [`${number} writes ${what}`] : [])),
    ...(isEffective ? [] : ['no write was interrupted']),
  ];
}
