import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { lasting, meanwhile, type Deed, type Fault } from './fault';
import { areReady } from './recovery';
import type { Stage } from './stage';
import { until } from './until';
import type { Visitors } from './visitors';

const AWAY_MS = 10_000;
/** For all slots to be taken, and for a job that nothing should hold up. */
const TAKEN_MS = 15_000;
const SOON_MS = 5000;
const REFUSED = 'refused@faults.example';
/** What fails for now is tried again sooner. */
const SECOND_TRY_MS = 5000;

/** So that mails fail for some seconds. */
const failing = (begin: Deed, end: Deed) => lasting(AWAY_MS, begin, end, lookWhileFailing);

/** What befalls the mail server: it holds nothing up but mails, and all of them come. */
export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'mail server silent',
    befall: meanwhile(
      ({ mail }) => mail.freeze(),
      ({ mail }) => mail.thaw(),
      lookWhileSilent,
    ),
  },
  {
    name: 'mail server gone, 10 s',
    befall: failing(
      ({ mail }) => mail.cut(),
      ({ mail }) => mail.mend(),
    ),
  },
  {
    name: 'mail server asks to come later (451), 10 s',
    befall: failing(
      ({ inbox }) => (inbox.refusal = () => 451),
      ({ inbox }) => (inbox.refusal = () => undefined),
    ),
  },
  {
    name: 'mail server resets, 10 s',
    befall: failing(
      ({ mail }) => (mail.resets = true),
      ({ mail }) => (mail.resets = false),
    ),
  },
  {
    name: 'mail server hangs up early, 10 s',
    befall: failing(
      ({ mail }) => (mail.breaks = true),
      ({ mail }) => (mail.breaks = false),
    ),
  },
  {
    name: 'mail server hangs up before it says that it has the mail, 10 s',
    befall: failing(
      ({ mail }) => (mail.breaksBefore = 'message queued'),
      ({ mail }) => (mail.breaksBefore = undefined),
    ),
  },
  {
    name: 'mail server refuses one recipient for ever (550)',
    befall: meanwhile(
      () => undefined,
      ({ inbox }) => (inbox.refusal = () => undefined),
      lookWhileOneIsRefused,
    ),
  },
];

async function lookWhileFailing({ queue }: Stage): Promise<string[]> {
  return (await until(async () => (await queue.failed()) > 0, AWAY_MS)) ? [] : ['no mail has failed'];
}

async function lookWhileSilent(stage: Stage): Promise<string[]> {
  const { queue, services } = stage;
  const all = JOBS_AT_A_TIME.mail * services.length;
  if (!(await until(async () => (await queue.running('send-%')) === all, TAKEN_MS)))
    return [`fewer than ${all} mails hang`];
  const [database, processor, ready] = await Promise.all([
    queue.doesWork('database', SOON_MS),
    queue.doesWork('processor', SOON_MS),
    areReady(stage, true, SOON_MS),
  ]);
  return [
    ...(database ? [] : ['jobs of the database wait for the mail server']),
    ...(processor ? [] : ['jobs of the processor wait for the mail server']),
    ...(ready ? [] : ['not ready because of the mail server']),
  ];
}

/** The refused one is asked once, and others have their mails meanwhile. */
async function lookWhileOneIsRefused({ inbox }: Stage, visitors: Visitors): Promise<string[]> {
  let asked = 0;
  inbox.refusal = (to) => (to === REFUSED && ++asked ? 550 : undefined);
  await visitors.register(REFUSED);
  visitors.mailed.splice(visitors.mailed.indexOf(REFUSED), 1);
  await until(() => asked > 0, SOON_MS);
  const other = await visitors.register();
  const isServed = other !== undefined && (await visitors.haveMail([other], SOON_MS));
  await pause(SECOND_TRY_MS);
  return [...(isServed ? [] : ['others have no mail']), ...(asked === 1 ? [] : [`asked ${asked} times`])];
}
