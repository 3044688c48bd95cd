import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { Callers } from './callers';
import { newTenants } from './crowd';
import type { Fault } from './fault';
import type { Stage } from './stage';
import { stopInTime } from './stop-in-time';
import { until } from './until';

const CALLERS = 10;
const DEAD_MS = 2000;
/**
 * Every packet of a mail takes longer by this; how long it may take until so many are on their way
 * that each instance has some.
 */
const SLOW_MAIL_MS = 150;
const BUSY_MS = 15_000;

/** What befalls the service's own processes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'one of two instances killed, back after 2 s', isShort: true, kills: true, befall: killOne },
  { name: 'both instances restarted, one after the other', stops: true, befall: restartBoth },
  { name: 'SIGTERM under load', isShort: true, stops: true, befall: stopUnderLoad },
];

/** In the middle of sending mails, which are sent by the other one. */
async function killOne({ services: [victim], mail, queue }: Stage): Promise<string[]> {
  mail.delayMs = SLOW_MAIL_MS;
  const areBothAtIt = await until(async () => (await queue.running('send-%')) > JOBS_AT_A_TIME.mail, BUSY_MS);
  await victim.kill();
  mail.delayMs = 0;
  await pause(DEAD_MS);
  victim.begin();
  await victim.untilReady();
  return areBothAtIt ? [] : ['killed while it sent no mail'];
}

async function restartBoth({ services }: Stage): Promise<string[]> {
  const wrong: string[] = [];
  for (const service of services) {
    wrong.push(...(await stopInTime(service)));
    service.begin();
    await service.untilReady();
  }
  return wrong;
}

/** Clients of a route without the database, and of one with it. */
async function stopUnderLoad(stage: Stage): Promise<string[]> {
  const [victim] = stage.services;
  const [{ token }] = await newTenants(stage, 'stopped', 1);
  const headers = { Authorization: `Bearer ${token}` };
  const all = [
    new Callers({ path: '/.well-known/jwks.json', expected: [200] }),
    new Callers({ path: '/api/v1/tenants/current/projects', headers, expected: [200] }),
  ];
  const calling = all.map((callers) => callers.call(victim.address, CALLERS));
  await pause(1000);
  const wrong = await stopInTime(victim);
  await Promise.all(calling);
  victim.begin();
  await victim.untilReady();
  const broken = all.flatMap((callers) => callers.broken);
  if (broken.length > 0) wrong.push(`${broken.length} calls broken (${broken[0]})`);
  if (all.some(({ answers }) => answers === 0)) wrong.push('nobody was answered');
  return wrong;
}
