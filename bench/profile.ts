import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFolder } from './bench-database';
import { SMALL } from './bench-run';
import { timeOf, type CpuProfile } from './cpu-profile';
import { PROFILED, type ProfiledWork } from './profiled-work';
import { fill } from './seed-data';
import { startServer, type BenchServer } from './servers';

const WARM_UP_SECONDS = 8;
const SECONDS = 8;
const FUNCTIONS_SHOWN = 25;

/**
 * `npm run profile -- me` prints the CPU time of a request of the built service, in milliseconds by
 * package, and its costliest functions. @returns the exit code
 */
async function main(name: string | undefined): Promise<number> {
  const work = PROFILED[name ?? ''];
  if (!work) {
    say(`Name one of ${Object.keys(PROFILED).join(', ')}, such as: npm run profile -- me`);
    return 2;
  }
  const server = await BenchFolder.start();
  try {
    say(`Filling ${SMALL} users …`);
    const database = await server.create('profile');
    await fill(database.superuser, SMALL);
    const file = join(server.folder, 'service.cpuprofile');
    const settings = { ...database.settings, ...work.settings, WORKER: 'off', PROFILE_FILE: file };
    const service = await startServer('service', settings, server.folder, [
      '--require',
      join(__dirname, 'profiler.js'),
    ]);
    await profile(service, await work.prepare(database.superuser), file);
    await service.stop();
  } finally {
    await server.delete();
  }
  return 0;
}

async function profile(service: BenchServer, drive: Awaited<ReturnType<ProfiledWork['prepare']>>, file: string) {
  say(`Warming up for ${WARM_UP_SECONDS} seconds …`);
  await drive(service.url, WARM_UP_SECONDS);
  service.signal('SIGUSR2');
  await sleep(200);
  const before = service.computed();
  const { answered } = await drive(service.url, SECONDS);
  const computed = service.computed() - before;
  service.signal('SIGUSR2');
  const { packages, functions } = timeOf(await readProfile(file));
  const perRequest = (microseconds: number) => (microseconds / 1000 / answered).toFixed(3).padStart(8);
  say(`\n${answered} requests, ${(computed / answered).toFixed(3)} ms of CPU time each on all threads.`);
  say('\nMilliseconds of the event loop per request, by package:');
  for (const [name, time] of costliest(packages, packages.size)) say(`${perRequest(time)}  ${name}`);
  say(`\nThe ${FUNCTIONS_SHOWN} costliest functions, without what they call:`);
  for (const [name, time] of costliest(functions, FUNCTIONS_SHOWN)) say(`${perRequest(time)}  ${name}`);
}

const costliest = (times: ReadonlyMap<string, number>, count: number) =>
  [...times].sort(([, a], [, b]) => b - a).slice(0, count);

/** The server writes the profile after the signal, in one piece. */
async function readProfile(file: string): Promise<CpuProfile> {
  for (;;) {
    await sleep(500);
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
    } catch {
      continue; // not written yet
    }
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

main(process.argv.slice(2).find((argument) => !argument.endsWith('.js'))).then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
