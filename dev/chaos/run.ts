import { createPrivateKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { newId } from '../../src/platform/ids';
import { SigningKeys } from '../../src/platform/signing-keys';
import { newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { StripeStandIn } from '../stripe/stripe-stand-in';
import { SeededRandom } from '../stripe/seeded-random';
import { Life } from './owner-actions';
import { ServiceProcess } from './service-process';
import { seedTenants, type ChaosTenant } from './tenant-seed';
import { inEveryTenant, Ledger, verdict } from './assertions';

export interface ChaosPlan {
  readonly seed: number;
  readonly tenants: number;
  /** Rounds of deeds, after each of which some days pass. */
  readonly rounds: number;
  /** Of a migrated, empty database, as the service's role. */
  readonly databaseUrl: string;
  /** The built entry of the service, `…/src/main.js`. */
  readonly main: string;
  readonly progress?: (line: string) => void;
}

export interface ChaosReport {
  /** Empty: everything has converged. */
  readonly wrong: readonly string[];
  readonly events: number;
  readonly deeds: number;
  readonly interrupted: number;
  readonly kills: number;
  readonly mails: number;
  /**
   * Mails that came a second time, because the service was killed between sending one and writing
   * that down.
   */
  readonly repeatedMails: number;
  /** What the one sync at the end corrected. */
  readonly corrected: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const ISSUER = 'http://chaos.example';
const DAY = 86_400;
const AT_A_TIME = 8;

/**
 * The lives of many tenants on the stand-in processor, whose deliveries are lost, repeated, late,
 * out of order and forged, while two instances of the service are killed and begun again; then one
 * sync, and the question whether everything is here as it is there.
 */
export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const random = new SeededRandom(plan.seed);
  const [inbox, processor, database] = [
    new MailInbox(),
    new StripeStandIn({ seed: plan.seed }),
    new Client({ connectionString: plan.databaseUrl }),
  ];
  await Promise.all([inbox.start(), processor.start(0), database.connect()]);
  const privateKey = newSigningKey();
  const env = {
    NODE_ENV: 'test',
    BASE_URL: ISSUER,
    DATABASE_URL: plan.databaseUrl,
    JWT_PRIVATE_KEY: privateKey,
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'chaos@chaos.example',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...processor.settings,
  };
  const services = await Promise.all([ServiceProcess.start(plan.main, env), ServiceProcess.start(plan.main, env)]);
  try {
    const { kid } = new SigningKeys(createPrivateKey(privateKey), []);
    const tenants = await seedTenants(database, plan.tenants, ISSUER, privateKey, kid);
    const ledger = new Ledger(processor);
    const life = new Life(
      processor,
      () => services[Math.floor(random.next() * services.length)].address,
      () => random.next(),
    );
    await liveOn(plan, { random, processor, services, database, tenants, life, ledger });
    await settle(processor, services, database);
    const corrected = await syncOnce(database);
    await untilIdle(database);
    ledger.read();
    const kills = services.reduce((sum, service) => sum + service.kills, 0);
    const { deeds, interrupted } = life;
    const wrong = await verdict(processor, ledger, database, inbox, tenants);
    return {
      wrong,
      events: ledger.events,
      deeds,
      interrupted,
      kills,
      corrected,
      ...countMails(inbox),
      statuses: await countStatuses(database),
    };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([processor.stop(), inbox.stop(), database.end()]);
  }
}

interface Environment {
  readonly random: SeededRandom;
  readonly processor: StripeStandIn;
  readonly services: readonly ServiceProcess[];
  readonly database: Client;
  readonly tenants: readonly ChaosTenant[];
  readonly life: Life;
  readonly ledger: Ledger;
}

async function liveOn(
  { rounds, progress }: ChaosPlan,
  { random, processor, services, database, tenants, life, ledger }: Environment,
): Promise<void> {
  const start = performance.now();
  Object.assign(processor.chaos, { duplicate: 0.2, delay: 0.2, reorder: 0.2, wrongSignature: 0.05, maxDelayMs: 1500 });
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds;
    if (isLast) await untilIdle(database); // what comes now is for the sync alone
    // now and then, and at the end, nothing arrives at all
    processor.chaos.drop = isLast || random.happens(0.2) ? 1 : 0.25;
    processor.chaos.apiVersion = random.happens(0.3) ? 'old' : undefined;
    processor.deliverTo(`${services[round % services.length].address}/api/v1/webhooks/stripe`);
    const victim = services[Math.floor(random.next() * services.length)];
    const accident =
      round === 2 || random.happens(0.5) ? pause(random.next() * 300).then(() => victim.kill()) : undefined;
    life.look();
    await inTurns(
      tenants.filter(() => random.happens(0.5)),
      (tenant) => life.live(tenant),
    );
    await processor.advance(Math.floor(random.next() * (isLast ? 40 : 12) * DAY) + 60);
    await accident;
    if (accident) victim.begin();
    if (random.happens(0.5)) await victim.untilReady();
    ledger.read();
    const kills = services.reduce((sum, service) => sum + service.kills, 0);
    const seconds = Math.round((performance.now() - start) / 1000);
    progress?.(
      `round ${round} of ${rounds} · ${life.deeds} deeds, ${life.interrupted} refused or cut off · ${ledger.events} events · ${kills} kills · ${seconds} s`,
    );
  }
}

/** The service is whole again, and what is still on its way arrives, or is lost. */
async function settle(processor: StripeStandIn, services: readonly ServiceProcess[], database: Client): Promise<void> {
  await Promise.all(services.map((service) => service.untilReady()));
  await processor.drain();
  await untilIdle(database);
}

/**
 * Begins what the schedule begins every two hours.
 * @returns how many subscriptions were otherwise here
 */
async function syncOnce(database: Client): Promise<number> {
  const runId = newId();
  await database.query('INSERT INTO sync_runs (id, slot, started_at) VALUES ($1, now(), now())', [runId]);
  const payload = JSON.stringify({ command: { runId, after: null }, requestId: 'chaos' });
  await database.query(
    `SELECT graphile_worker.add_job('sync-subscriptions', $1::json, job_key => 'sync-subscriptions')`,
    [payload],
  );
  for (;;) {
    const { rows } = await database.query<{ corrected: number }>(
      'SELECT corrected FROM sync_runs WHERE id = $1 AND finished_at IS NOT NULL',
      [runId],
    );
    if (rows.length > 0) return rows[0].corrected;
    await pause(100);
  }
}

/** Until no job waits, runs or is to be tried again; what waits for its time need not. */
async function untilIdle(database: Client): Promise<void> {
  for (;;) {
    await database.query(
      'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND run_at > now() AND attempts < max_attempts',
    );
    const { rows } = await database.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM graphile_worker.jobs WHERE attempts < max_attempts',
    );
    if (rows[0].left === 0) return;
    await pause(200);
  }
}

/** Some at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

function countMails({ mails }: MailInbox): { mails: number; repeatedMails: number } {
  const distinct = new Set(mails.map(({ messageId }) => messageId)).size;
  return { mails: distinct, repeatedMails: mails.length - distinct };
}

async function countStatuses(database: Client): Promise<Record<string, number>> {
  const rows = await inEveryTenant<{ status: string; n: number }>(
    database,
    'SELECT status, count(*)::int AS n FROM subscriptions GROUP BY 1 ORDER BY 1',
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}
