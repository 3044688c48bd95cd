import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { KeepAliveClients } from './keep-alive-clients';
import { newTenants } from './seed-data';
import type { Fault } from './fault';
import type { Environment } from './environment';
import { stopGracefully } from './graceful-stop';
import { waitUntil } from './wait-until';

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
  { name: 'one of two instances killed, back after 2 s', isShort: true, kills: true, run: killOne },
  { name: 'both instances restarted, one after the other', stops: true, run: restartBoth },
  { name: 'SIGTERM under load', isShort: true, stops: true, run: stopUnderLoad },
];

/** In the middle of sending mails, which are sent by the other one. */
async function killOne({ services: [victim], mail, queue }: Environment): Promise<string[]> {
  mail.delayMs = SLOW_MAIL_MS;
  const areBothAtIt = await waitUntil(async () => (await queue.running('send-%')) > JOBS_AT_A_TIME.mail, BUSY_MS);
  await victim.kill();
  mail.delayMs = 0;
  await pause(DEAD_MS);
  victim.begin();
  await victim.untilReady();
  return areBothAtIt ? [] : ['killed while it sent no mail'];
}

async function restartBoth({ services }: Environment): Promise<string[]> {
  const wrong: string[] = [];
  for (const service of services) {
    wrong.push(...(await stopGracefully(service)));
    service.begin();
    await service.untilReady();
  }
  return wrong;
}

/** Clients of a route without the database, and of one with it. */
async function stopUnderLoad(environment: Environment): Promise<string[]> {
  const [victim] = environment.services;
  const [{ token }] = await newTenants(environment, 'stopped', 1);
  const headers = { Authorization: `Bearer ${token}` };
  const all = [
    new KeepAliveClients({ path: '/.well-known/jwks.json', expected: [200] }),
    new KeepAliveClients({ path: '/api/v1/tenants/current/projects', headers, expected: [200] }),
  ];
  const calling = all.map((callers) => callers.call(victim.address, CALLERS));
  await pause(1000);
  const wrong = await stopGracefully(victim);
  await Promise.all(calling);
  victim.begin();
  await victim.untilReady();
  const broken = all.flatMap((callers) => callers.broken);
  if (broken.length > 0) wrong.push(`${broken.length} calls broken (${broken[0]})`);
  if (all.some(({ answers }) => answers === 0)) wrong.push('nobody was answered');
  return wrong;
}
