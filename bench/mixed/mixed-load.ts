import { MailInbox } from '../../dev/mail-inbox';
import type { BenchRun } from '../bench-run';
import { observe } from '../machine-load';
import { sendOnSchedule } from '../open-loop';
import { loadPopulation } from '../population/load-population';
import { Population, zipfSizes } from '../population/tenant-population';
import { atMost, type TextTable } from '../report';
import { rowsOf } from '../seed-data';
import { startServer, type BenchServer } from '../servers';
import { median, percentile } from '../statistics';
import { MixedRequests } from './mixed-requests';
import { bloatOf, type Bloat } from './table-bloat';

const USERS = { full: 100_000, quick: 10_000 };
const PER_SECOND = 200;
/** The memory at the end is compared with that of this minute, and may grow to this multiple. */
const COMPARED_MINUTE = 5;
const LIMIT = 1.05;

/** One minute of the load. */
interface Minute extends Bloat {
  readonly answered: number;
  readonly failed: number;
  /** Why, each reason once. */
  readonly reasons: readonly string[];
  readonly p50: number;
  readonly p99: number;
  /** Median resident memory of the service in MB. */
  readonly memory: number;
  /** The share of the CPU time that other work took. */
  readonly foreign: number;
}

/** `npm run bench -- mixed --minutes 30`: user actions, with jobs and emails, for this time. */
export async function runMixedLoad({ server: databases, options, report, say }: BenchRun): Promise<void> {
  const population = new Population(zipfSizes(options.isQuick ? USERS.quick : USERS.full));
  const { settings, superuser } = await databases.create('mixed');
  await loadPopulation(superuser, population, say);
  await rowsOf(superuser, 'CREATE EXTENSION pgstattuple');
  const inbox = new MailInbox();
  await inbox.start();
  const server = await startServer('service', { ...settings, SMTP_URL: inbox.smtpUrl }, databases.folder);
  const requests = await MixedRequests.of(server.url, population);
  const minutes: Minute[] = [];
  for (let number = 1; number <= options.minutes; number++) {
    const minute = await runMinute(server, requests, superuser);
    inbox.mails.length = 0;
    minutes.push(minute);
    say(`  minute ${number}: ${rowOf(minute, number).slice(1).join('  ')}`);
    for (const reason of minute.reasons) say(`  failed: ${reason}`);
  }
  await server.stop();
  await inbox.stop();
  report.tables.push(minuteTable(minutes, population.users));
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  report.add({ work: 'failed requests of the mixed load', measured: String(failed), ...atMost(0, failed) });
  const compared = Math.min(COMPARED_MINUTE, minutes.length);
  const before = minutes[compared - 1].memory;
  const after = minutes.at(-1)!.memory;
  report.add({
    work: `memory after ${options.minutes} minutes of mixed load against minute ${compared}`,
    measured: `${after} MB`,
    reference: `${before} MB`,
    ratio: { median: after / before },
    ...atMost(LIMIT, after / before, ' ×'),
  });
}

async function runMinute(server: BenchServer, requests: MixedRequests, superuser: string): Promise<Minute> {
  const latencies: number[] = [];
  const memory: number[] = [];
  const reasons: string[] = [];
  const sampling = setInterval(() => memory.push(server.memory()), 1000);
  const { foreign } = await observe(() =>
    sendOnSchedule(requests.send, {
      perSecond: PER_SECOND,
      seconds: 60,
      onAnswer: (latency) => latencies.push(latency),
      onError: ({ message }) => reasons.push(message),
    }),
  );
  clearInterval(sampling);
  const [p50, p99] = [percentile(latencies, 50), percentile(latencies, 99)];
  const bloat = await bloatOf(superuser);
  return {
    answered: latencies.length,
    failed: reasons.length,
    reasons: [...new Set(reasons)],
    p50,
    p99,
    memory: median(memory),
    foreign,
    ...bloat,
  };
}

const HEAD = [
  'minute',
  'answered',
  'failed',
  'p50, ms',
  'p99, ms',
  'memory, MB',
  'dead rows',
  'dead, %',
  'database, MB',
];

const rowOf = (
  { answered, failed, p50, p99, memory, deadRows, deadPercent, megabytes, foreign }: Minute,
  n: number,
) => [
  String(n),
  String(answered),
  String(failed),
  p50.toFixed(1),
  p99.toFixed(1),
  String(memory),
  String(deadRows),
  deadPercent.toFixed(2),
  megabytes.toFixed(0),
  (foreign * 100).toFixed(0),
];

const minuteTable = (minutes: readonly Minute[], users: number): TextTable => ({
  title: 'Minute by minute',
  notes: [
    `${PER_SECOND} requests a second of ${users} users arrive on schedule, and a latency counts from that time.`,
    'Of a hundred, 44 are `me`, 20 members, 10 notifications, 10 refreshes and 8 roles.',
    'The rest are 4 new names, 2 sign-ins and 2 `live`.',
    'The service runs its jobs and sends its emails to an SMTP server in the process of the driver.',
    'Dead bytes are those of users, sessions and refresh tokens (pgstattuple_approx).',
  ],
  head: [...HEAD, 'other work, %'],
  rows: minutes.map((minute, index) => rowOf(minute, index + 1)),
});
