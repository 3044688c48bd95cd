import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ApiFault, StripeStandIn } from '../stripe/stripe-stand-in';
import type { SeededRandom } from '../stripe/seeded-random';
import type { EventReader } from './event-reader';
import type { SeatedTenant } from './member-seed';
import type { ServiceProcess } from './service-process';
import { untilIdle } from './wait-until-idle';
import type { TenantActions } from './tenant-actions';
import type { WebhookTraffic } from './webhook-traffic';

const DAY = 86_400;
/** The stand-in keeps events for 30 days, in which they must be read. */
const DAYS_AT_A_TIME = 12;
const CONCURRENCY = 8;
/** At most, of each kind, in a round. Most are overcome by the repetition of the request. */
const FAULTS_PER_TENANT = 0.03;
const API_FAULTS: readonly ApiFault[] = ['error', 'rate-limit', 'disconnect', 'disconnect-after'];

/** Everything that takes part in a run. */
export interface Simulation {
  readonly rounds: number;
  readonly activity: number;
  readonly progress?: (line: string) => void;
  readonly random: SeededRandom;
  readonly processor: StripeStandIn;
  readonly services: readonly ServiceProcess[];
  readonly database: Client;
  readonly tenants: readonly SeatedTenant[];
  readonly actions: TenantActions;
  readonly events: EventReader;
  readonly webhooks: WebhookTraffic;
}

/** Actions of all tenants, between which days pass and an instance is killed. */
export async function runRounds(simulation: Simulation): Promise<void> {
  const { rounds, progress, random, processor, services, database, events, webhooks } = simulation;
  const start = performance.now();
  Object.assign(processor.chaos, { duplicate: 0.2, delay: 0.2, reorder: 0.2, wrongSignature: 0.05, maxDelayMs: 1500 });
  for (let round = 1; round <= rounds; round++) {
    const isLast = round === rounds;
    // the events of the last round are lost, so that only the sync can correct them
    if (isLast) await untilIdle(database);
    setFaults(simulation, isLast);
    processor.deliverTo(`${services[round % services.length].address}/api/v1/webhooks/stripe`);
    const victim = services[Math.floor(random.next() * services.length)];
    const delay = random.next() * 300;
    await Promise.any(services.map((service) => service.untilReady())); // else no action would reach one
    const kill = random.happens(0.5) || round === 2 ? pause(delay).then(() => victim.kill()) : undefined;
    await Promise.all([actAll(simulation, round), webhooks.act(round)]);
    await webhooks.hurry(isLast);
    await advance(simulation, Math.floor(random.next() * daysOf(random, isLast) * DAY) + 60);
    await kill;
    if (kill) victim.launch();
    if (random.happens(0.5)) await victim.untilReady();
    progress?.(progressLine(simulation, round, Math.round((performance.now() - start) / 1000)));
  }
  events.read();
}

/** In some rounds months pass, so that years end, too. */
function daysOf(random: SeededRandom, isLast: boolean): number {
  if (isLast) return 40;
  return random.happens(0.15) ? 120 : 12;
}

/** In some rounds, and in the last one, no event arrives. Some requests to Stripe's API fail. */
function setFaults({ random, processor, tenants }: Simulation, isLast: boolean): void {
  processor.chaos.drop = isLast || random.happens(0.2) ? 1 : 0.25;
  processor.chaos.apiVersion = random.happens(0.3) ? 'old' : undefined;
  for (const fault of API_FAULTS) {
    const count = Math.floor(random.next() * tenants.length * FAULTS_PER_TENANT + random.next());
    if (!isLast && count > 0) processor.injectFault(fault, count);
  }
}

/** A part of the tenants acts, some at a time. */
async function actAll({ random, tenants, actions, activity }: Simulation, round: number): Promise<void> {
  actions.readSubscriptions();
  const left = [...tenants.entries()].filter(() => random.happens(activity));
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) await actions.act(next[1], next[0], round);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function advance({ processor, events }: Simulation, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= DAYS_AT_A_TIME * DAY) {
    await processor.advance(Math.min(left, DAYS_AT_A_TIME * DAY));
    events.read();
  }
}

function progressLine({ rounds, services, actions, events }: Simulation, round: number, seconds: number): string {
  const kills = services.reduce((sum, service) => sum + service.kills, 0);
  return (
    `round ${round} of ${rounds} · ${actions.actions} actions, ${actions.interrupted} failed · ` +
    `${events.events} events · ${kills} kills · ${seconds} s`
  );
}
