import { createPrivateKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { newId } from '../../src/platform/ids';
import { SigningKeys } from '../../src/platform/signing-keys';
import { newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { StripeStandIn } from '../stripe/stripe-stand-in';
import { SeededRandom } from '../stripe/seeded-random';
import { OwnerActions } from './owner-actions';
import { ServiceProcess } from './service-process';
import { seedTenants, type ChaosTenant } from './tenant-seed';
import { findProblems, queryAllTenants } from './assertions';
import { TransitionLedger } from './transition-ledger';

export interface ChaosPlan {
  readonly seed: number;
  readonly tenants: number;
  /** Rounds of actions. Some days pass after each round. */
  readonly rounds: number;
  /** Address of a migrated, empty database for the role of the service. */
  readonly databaseUrl: string;
  /** The built entry of the service, `…/src/main.js`. */
  readonly main: string;
  readonly progress?: (line: string) => void;
}

export interface ChaosReport {
  /** Empty if everything has converged. */
  readonly problems: readonly string[];
  readonly events: number;
  readonly actions: number;
  readonly interrupted: number;
  readonly kills: number;
  readonly mails: number;
  /**
   * Mails that were sent twice, because the service was killed between sending one and recording
   * it.
   */
  readonly repeatedMails: number;
  /** Number of subscriptions that the sync at the end corrected. */
  readonly corrected: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const ISSUER = 'http://chaos.example';
const DAY = 86_400;
const CONCURRENCY = 8;

/**
 * Simulates many tenants on the stand-in for Stripe, whose deliveries are lost, repeated, delayed,
 * reordered and forged, while two instances of the service are killed and restarted. Then runs one
 * sync and checks that the service has the same subscriptions as the stand-in.
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
    const ledger = new TransitionLedger(processor);
    const owners = new OwnerActions(
      processor,
      () => services[Math.floor(random.next() * services.length)].address,
      () => random.next(),
    );
    await runRounds(plan, { random, processor, services, database, tenants, owners, ledger });
    await settle(processor, services, database);
    const corrected = await syncOnce(database);
    await untilIdle(database);
    ledger.read();
    const kills = services.reduce((sum, service) => sum + service.kills, 0);
    const { actions, interrupted } = owners;
    const problems = await findProblems(processor, ledger, database, inbox, tenants);
    return {
      problems,
      events: ledger.events,
      actions,
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

interface Simulation {
  readonly random: SeededRandom;
  readonly processor: StripeStandIn;
  readonly services: readonly ServiceProcess[];
  readonly database: Client;
  readonly tenants: readonly ChaosTenant[];
  readonly owners: OwnerActions;
  readonly ledger: TransitionLedger;
}

async function runRounds(
  { rounds, progress }: ChaosPlan,
  { random, processor, services, database, tenants, owners, ledger }: Simulation,
): Promise<void> {
  const start = performance.now();
  Object.assign(processor.chaos, { duplicate: 0.2, delay: 0.2, reorder: 0.2, wrongSignature: 0.05, maxDelayMs: 1500 });
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds;
    // the events of the last round are lost, so that only the sync can correct them
    if (isLast) await untilIdle(database);
    // in some rounds, and in the last one, no event arrives
    processor.chaos.drop = isLast || random.happens(0.2) ? 1 : 0.25;
    processor.chaos.apiVersion = random.happens(0.3) ? 'old' : undefined;
    processor.deliverTo(`${services[round % services.length].address}/api/v1/webhooks/stripe`);
    const victim = services[Math.floor(random.next() * services.length)];
    const kill = round === 2 || random.happens(0.5) ? pause(random.next() * 300).then(() => victim.kill()) : undefined;
    owners.readSubscriptions();
    await forEachConcurrently(
      tenants.filter(() => random.happens(0.5)),
      (tenant) => owners.act(tenant),
    );
    await processor.advance(Math.floor(random.next() * (isLast ? 40 : 12) * DAY) + 60);
    await kill;
    if (kill) victim.launch();
    if (random.happens(0.5)) await victim.untilReady();
    ledger.read();
    const kills = services.reduce((sum, service) => sum + service.kills, 0);
    const seconds = Math.round((performance.now() - start) / 1000);
    progress?.(
      `round ${round} of ${rounds} · ${owners.actions} actions, ${owners.interrupted} failed · ` +
        `${ledger.events} events · ${kills} kills · ${seconds} s`,
    );
  }
}

/** Waits until both instances are ready and all deliveries and jobs are done. */
async function settle(processor: StripeStandIn, services: readonly ServiceProcess[], database: Client): Promise<void> {
  await Promise.all(services.map((service) => service.untilReady()));
  await processor.drain();
  await untilIdle(database);
}

/**
 * Starts the sync, which the service starts every two hours.
 * @returns the number of corrected subscriptions
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

/** Waits until no job is left. Jobs that are scheduled for later run at once. */
async function untilIdle(database: Client): Promise<void> {
  for (;;) {
    await database.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now()
         WHERE locked_at IS NULL AND run_at > now() AND attempts < max_attempts`,
    );
    const { rows } = await database.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM graphile_worker.jobs WHERE attempts < max_attempts',
    );
    if (rows[0].left === 0) return;
    await pause(200);
  }
}

/** Runs the work for all items, CONCURRENCY at a time. */
async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

function countMails({ mails }: MailInbox): { mails: number; repeatedMails: number } {
  const distinct = new Set(mails.map(({ messageId }) => messageId)).size;
  return { mails: distinct, repeatedMails: mails.length - distinct };
}

async function countStatuses(database: Client): Promise<Record<string, number>> {
  const rows = await queryAllTenants<{ status: string; n: number }>(
    database,
    'SELECT status, count(*)::int AS n FROM subscriptions GROUP BY 1 ORDER BY 1',
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}
