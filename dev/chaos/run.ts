import { createPrivateKey } from 'node:crypto';
import { Client } from 'pg';
import { SigningKeys } from '../../src/platform/signing-keys';
import { newSecretsKeys, newSigningKey } from '../local-keys';
import { MailInbox } from '../mail-inbox';
import { SeededRandom } from '../stripe/seeded-random';
import { clientOf } from '../stripe/stand-in-client';
import { StripeStandIn } from '../stripe/stripe-stand-in';
import { ApiClient } from './api-client';
import { findProblems } from './assertions';
import { ChangeLedger } from './change-ledger';
import { createCoupons } from './chaos-coupons';
import { statusCounts, termCounts, type ChaosReport } from './chaos-report';
import { EventHistory } from './event-history';
import { EventReader } from './event-reader';
import { countMails } from './mail-assertions';
import { MemberActions } from './member-actions';
import { seedMembers } from './member-seed';
import { runRounds } from './chaos-rounds';
import { ServiceProcess } from './service-process';
import { settle, syncOnce, untilIdle } from './wait-until-idle';
import { StripePageActions } from './stripe-page-actions';
import { SubscriptionActions } from './subscription-actions';
import { TenantActions } from './tenant-actions';
import { historiesOf } from './tenant-history';
import { seedTenants } from './tenant-seed';
import { TransitionLedger } from './transition-ledger';
import { webhookProblems } from './webhook-assertions';
import { WebhookTraffic } from './webhook-traffic';

/** The settings of a run. */
export interface ChaosPlan {
  readonly seed: number;
  readonly tenants: number;
  /** Rounds of actions. Some days pass after each round. */
  readonly rounds: number;
  /** The share of the tenants that act in a round. Default: half of them. */
  readonly activity?: number;
  /** Address of a migrated, empty database for the role of the service. */
  readonly databaseUrl: string;
  /** The built entry of the service, `…/src/main.js`. */
  readonly main: string;
  readonly progress?: (line: string) => void;
}

const ISSUER = 'http://chaos.example';
/** Stripe's library tries again if the stand-in fails on purpose. */
const RETRIES = 4;

/**
 * Simulates many tenants on the stand-in for Stripe, whose deliveries are lost, repeated, delayed,
 * reordered and forged, while two instances of the service are killed and restarted. Then runs one
 * sync and checks that the service has the same subscriptions as the stand-in, and that receivers
 * of webhooks, some of them with bad habits, have got every message.
 */
export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const { seed, rounds, activity = 0.5, progress } = plan;
  const random = new SeededRandom(seed);
  const [inbox, processor, database] = [
    new MailInbox(),
    new StripeStandIn({ seed }),
    new Client({ connectionString: plan.databaseUrl }),
  ];
  await Promise.all([inbox.start(), processor.start(0), database.connect()]);
  const privateKey = newSigningKey();
  const env = {
    NODE_ENV: 'test',
    BASE_URL: ISSUER,
    DATABASE_URL: plan.databaseUrl,
    JWT_PRIVATE_KEY: privateKey,
    SECRETS_KEYS: newSecretsKeys(),
    SMTP_URL: inbox.smtpUrl,
    MAIL_FROM: 'chaos@chaos.example',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'silent',
    ...processor.settings,
  };
  const services = await Promise.all([ServiceProcess.start(plan.main, env), ServiceProcess.start(plan.main, env)]);
  const addresses = services.map(({ address }) => address);
  const api = new ApiClient(addresses, () => random.next());
  const webhooks = new WebhookTraffic(api, database, new SeededRandom(seed));
  try {
    const stripe = clientOf(processor, RETRIES);
    await createCoupons(stripe);
    const { kid: keyId } = new SigningKeys(createPrivateKey(privateKey), []);
    const owners = await seedTenants(database, plan.tenants, ISSUER, privateKey, keyId);
    const tenants = await seedMembers(database, owners, () => random.next());
    const [transitions, changes, history] = [new TransitionLedger(), new ChangeLedger(), new EventHistory()];
    const events = new EventReader(processor, [transitions, changes, history]);
    const sources = [
      new SubscriptionActions(api, processor, changes),
      new StripePageActions(processor, stripe),
      new MemberActions(api, database, { issuer: ISSUER, privateKey, keyId }),
    ];
    const actions = new TenantActions(processor, sources, seed);
    await webhooks.start(tenants);
    const parts = { processor, services, database, tenants, actions, events, webhooks };
    await runRounds({ rounds, activity, progress, random, ...parts });
    await settle(processor, services, database);
    await webhooks.settle();
    const corrected = await syncOnce(database);
    await untilIdle(database);
    events.read();
    const sides = { processor, stripe, database, inbox, transitions, changes };
    const problems = await findProblems(sides, tenants);
    await webhooks.untilSent();
    const sent = await webhookProblems(database, webhooks);
    return {
      problems: [
        ...sent.problems,
        ...problems,
        ...(await historiesOf(problems, tenants, { processor, database, history })),
      ],
      events: events.events,
      actions: actions.actions,
      interrupted: actions.interrupted,
      failures: actions.failures,
      changes: changes.changes,
      kills: services.reduce((sum, service) => sum + service.kills, 0),
      corrected,
      ...countMails(inbox),
      statuses: await statusCounts(database),
      terms: await termCounts(database),
      webhooks: sent.counts,
    };
  } finally {
    webhooks.receivers.stop();
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([processor.stop(), inbox.stop(), database.end()]);
  }
}
