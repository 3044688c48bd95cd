import { setTimeout as pause } from 'node:timers/promises';
import { Callers } from './callers';
import { newTenants } from './crowd';
import type { Fault } from './fault';
import type { Stage } from './stage';
import { stopInTime } from './stop-in-time';

const CALLERS = 10;
const DEAD_MS = 2000;

/** What befalls the service's own processes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'one of two instances killed, back after 2 s', isShort: true, kills: true, befall: killOne },
  { name: 'both instances restarted, one after the other', befall: restartBoth },
  { name: 'SIGTERM under load', isShort: true, befall: stopUnderLoad },
];

async function killOne({ services: [victim] }: Stage): Promise<string[]> {
  await victim.kill();
  await pause(DEAD_MS);
  victim.begin();
  await victim.untilReady();
  return [];
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
