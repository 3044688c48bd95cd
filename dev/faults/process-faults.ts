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
 * Delay of each packet of a mail, and the time limit until both instances are sending mails.
 */
const SLOW_MAIL_MS = 150;
const BUSY_MS = 15_000;

/** Faults of the processes of the service. */
export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'one of two instances killed, back after 2 s', isShort: true, kills: true, run: killOne },
  { name: 'both instances restarted, one after the other', stops: true, run: restartBoth },
  { name: 'SIGTERM under load', isShort: true, stops: true, run: stopUnderLoad },
];

/** Kills an instance while it sends mails, which the other instance must send. */
async function killOne({ services: [victim], mail, queue }: Environment): Promise<string[]> {
  mail.delayMs = SLOW_MAIL_MS;
  const areBothSending = await waitUntil(async () => (await queue.running('send-%')) > JOBS_AT_A_TIME.mail, BUSY_MS);
  await victim.kill();
  mail.delayMs = 0;
  await pause(DEAD_MS);
  victim.launch();
  await victim.untilReady();
  return areBothSending ? [] : ['the killed instance was sending no mail'];
}

async function restartBoth({ services }: Environment): Promise<string[]> {
  const wrong: string[] = [];
  for (const service of services) {
    wrong.push(...(await stopGracefully(service)));
    service.launch();
    await service.untilReady();
  }
  return wrong;
}

/** Clients of one route that uses the database and one that does not. */
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
  victim.launch();
  await victim.untilReady();
  const broken = all.flatMap((callers) => callers.broken);
  if (broken.length > 0) wrong.push(`${broken.length} requests failed (${broken[0]})`);
  if (all.some(({ responses }) => responses === 0)) wrong.push('no request was answered');
  return wrong;
}
