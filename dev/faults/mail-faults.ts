import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { during, lastingFor, type Action, type Fault } from './fault';
import { areReady } from './recovery';
import type { Environment } from './environment';
import { waitUntil } from './wait-until';
import type { SimulatedUsers } from './simulated-users';

const FAILING_MS = 10_000;
/** Time limits for all slots to be taken, and for a job that must not be delayed. */
const ALL_TAKEN_MS = 15_000;
const SOON_MS = 5000;
const REFUSED = 'refused@faults.example';
/** A temporary failure would be retried within this time. */
const RETRY_MS = 5000;

/** Makes mails fail for some seconds. */
const failing = (begin: Action, end: Action) => lastingFor(FAILING_MS, begin, end, checkWhileFailing);

/** Faults of the mail server. They delay mails only, and every mail arrives in the end. */
export const MAIL_FAULTS: readonly Fault[] = [
  {
    name: 'mail server unresponsive',
    run: during(
      ({ mail }) => mail.freeze(),
      ({ mail }) => mail.thaw(),
      checkWhileSilent,
    ),
  },
  {
    name: 'mail server unreachable, 10 s',
    run: failing(
      ({ mail }) => mail.close(),
      ({ mail }) => mail.listen(),
    ),
  },
  {
    name: 'mail server defers emails (451), 10 s',
    run: failing(
      ({ inbox }) => (inbox.refusal = () => 451),
      ({ inbox }) => (inbox.refusal = () => undefined),
    ),
  },
  {
    name: 'mail server resets connections, 10 s',
    run: failing(
      ({ mail }) => (mail.resets = true),
      ({ mail }) => (mail.resets = false),
    ),
  },
  {
    name: 'mail server disconnects early, 10 s',
    run: failing(
      ({ mail }) => (mail.breaksResponses = true),
      ({ mail }) => (mail.breaksResponses = false),
    ),
  },
  {
    name: 'mail server disconnects before it acknowledges an email, 10 s',
    run: failing(
      ({ mail }) => (mail.breaksBefore = 'message queued'),
      ({ mail }) => (mail.breaksBefore = undefined),
    ),
  },
  {
    name: 'mail server rejects one recipient (550)',
    run: during(
      () => undefined,
      ({ inbox }) => (inbox.refusal = () => undefined),
      checkWhileOneIsRefused,
    ),
  },
];

async function checkWhileFailing({ queue }: Environment): Promise<string[]> {
  return (await waitUntil(async () => (await queue.failed()) > 0, FAILING_MS)) ? [] : ['no mail has failed'];
}

async function checkWhileSilent(environment: Environment): Promise<string[]> {
  const { queue, services } = environment;
  const all = JOBS_AT_A_TIME.mail * services.length;
  if (!(await waitUntil(async () => (await queue.running('send-%')) === all, ALL_TAKEN_MS)))
    return [`fewer than ${all} mails hang`];
  const [database, processor, ready] = await Promise.all([
    queue.doesWork('database', SOON_MS),
    queue.doesWork('processor', SOON_MS),
    areReady(environment, true, SOON_MS),
  ]);
  return [
    ...(database ? [] : ['database jobs wait for the mail server']),
    ...(processor ? [] : ['Stripe jobs wait for the mail server']),
    ...(ready ? [] : ['not ready because of the mail server']),
  ];
}

/** The server is asked once for the rejected recipient, and other users get their mails. */
async function checkWhileOneIsRefused({ inbox }: Environment, users: SimulatedUsers): Promise<string[]> {
  let asked = 0;
  inbox.refusal = (to) => (to === REFUSED && ++asked ? 550 : undefined);
  await users.register(REFUSED);
  users.mailed.splice(users.mailed.indexOf(REFUSED), 1);
  await waitUntil(() => asked > 0, SOON_MS);
  const other = await users.register();
  const isServed = other !== undefined && (await users.haveMail([other], SOON_MS));
  await pause(RETRY_MS);
  return [
    ...(isServed ? [] : ['other users have no mail']),
    ...(asked === 1 ? [] : [`the rejected recipient was tried ${asked} times`]),
  ];
}
