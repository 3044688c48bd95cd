import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { during, lastingFor, type Action, type Fault } from './fault';
import { areReady } from './recovery';
import type { Environment } from './environment';
import { waitUntil } from './wait-until';
import type { SimulatedUsers } from './simulated-users';

const AWAY_MS = 10_000;
/** For all slots to be taken, and for a job that nothing should hold up. */
const TAKEN_MS = 15_000;
const SOON_MS = 5000;
const REFUSED = 'refused@faults.example';
/** What fails for now is tried again sooner. */
const SECOND_TRY_MS = 5000;

/** So that mails fail for some seconds. */
const failing = (begin: Action, end: Action) => lastingFor(AWAY_MS, begin, end, checkWhileFailing);

/** What befalls the mail server: it holds nothing up but mails, and all of them come. */
export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'mail server silent',
    run: during(
      ({ mail }) => mail.freeze(),
      ({ mail }) => mail.thaw(),
      checkWhileSilent,
    ),
  },
  {
    name: 'mail server gone, 10 s',
    run: failing(
      ({ mail }) => mail.close(),
      ({ mail }) => mail.listen(),
    ),
  },
  {
    name: 'mail server asks to come later (451), 10 s',
    run: failing(
      ({ inbox }) => (inbox.refusal = () => 451),
      ({ inbox }) => (inbox.refusal = () => undefined),
    ),
  },
  {
    name: 'mail server resets, 10 s',
    run: failing(
      ({ mail }) => (mail.resets = true),
      ({ mail }) => (mail.resets = false),
    ),
  },
  {
    name: 'mail server hangs up early, 10 s',
    run: failing(
      ({ mail }) => (mail.breaksResponses = true),
      ({ mail }) => (mail.breaksResponses = false),
    ),
  },
  {
    name: 'mail server hangs up before it says that it has the mail, 10 s',
    run: failing(
      ({ mail }) => (mail.breaksBefore = 'message queued'),
      ({ mail }) => (mail.breaksBefore = undefined),
    ),
  },
  {
    name: 'mail server refuses one recipient for ever (550)',
    run: during(
      () => undefined,
      ({ inbox }) => (inbox.refusal = () => undefined),
      checkWhileOneIsRefused,
    ),
  },
];

async function checkWhileFailing({ queue }: Environment): Promise<string[]> {
  return (await waitUntil(async () => (await queue.failed()) > 0, AWAY_MS)) ? [] : ['no mail has failed'];
}

async function checkWhileSilent(environment: Environment): Promise<string[]> {
  const { queue, services } = environment;
  const all = JOBS_AT_A_TIME.mail * services.length;
  if (!(await waitUntil(async () => (await queue.running('send-%')) === all, TAKEN_MS)))
    return [`fewer than ${all} mails hang`];
  const [database, processor, ready] = await Promise.all([
    queue.doesWork('database', SOON_MS),
    queue.doesWork('processor', SOON_MS),
    areReady(environment, true, SOON_MS),
  ]);
  return [
    ...(database ? [] : ['jobs of the database wait for the mail server']),
    ...(processor ? [] : ['jobs of the processor wait for the mail server']),
    ...(ready ? [] : ['not ready because of the mail server']),
  ];
}

/** The refused one is asked once, and others have their mails meanwhile. */
async function checkWhileOneIsRefused({ inbox }: Environment, users: SimulatedUsers): Promise<string[]> {
  let asked = 0;
  inbox.refusal = (to) => (to === REFUSED && ++asked ? 550 : undefined);
  await users.register(REFUSED);
  users.mailed.splice(users.mailed.indexOf(REFUSED), 1);
  await waitUntil(() => asked > 0, SOON_MS);
  const other = await users.register();
  const isServed = other !== undefined && (await users.haveMail([other], SOON_MS));
  await pause(SECOND_TRY_MS);
  return [...(isServed ? [] : ['others have no mail']), ...(asked === 1 ? [] : [`asked ${asked} times`])];
}
