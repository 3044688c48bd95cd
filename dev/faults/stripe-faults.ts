import { setTimeout as pause } from 'node:timers/promises';
import { JOBS_AT_A_TIME } from '../../src/platform/jobs/job-kinds';
import { newTenants } from './seed-data';
import { during, type Fault } from './fault';
import { areReady } from './recovery';
import type { Environment } from './environment';
import { waitUntil } from './wait-until';
import type { SimulatedUsers } from './simulated-users';

const TAKEN_MS = 15_000;
const SOON_MS = 5000;
const LYING_MS = 8000;
const JOBS = 12;

const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
const LIES: readonly (readonly [what: string, lie: string])[] = [
  ['answers garbage', answer('200 OK', '<html>\u0000{')],
  ['answers an empty object', answer('200 OK', '{}')],
  ['throttles (429)', answer('429 Too Many Requests', '{"error":{"type":"rate_limit_error","message":"slow down"}}')],
  ['errs (500)', answer('500 Internal Server Error', '{"error":{"type":"api_error","message":"sorry"}}')],
];

/**
 * What befalls the payment processor: it holds nothing up but what calls it, people are told so,
 * and its jobs are done when it is back.
 */
export const STRIPE_FAULTS: readonly Fault[] = [
  {
    name: 'processor silent',
    run: during(
      ({ payments }) => payments.freeze(),
      ({ payments }) => payments.thaw(),
      checkWhileSilent,
    ),
  },
  ...LIES.map(([what, lie]) => ({
    name: `processor ${what}, 8 s`,
    run: during(
      ({ payments }) => (payments.cannedResponse = lie),
      ({ payments }) => (payments.cannedResponse = undefined),
      checkWhileLying,
    ),
  })),
  {
    name: 'processor resets, 8 s',
    run: during(
      ({ payments }) => (payments.resets = true),
      ({ payments }) => (payments.resets = false),
      checkWhileLying,
    ),
  },
];

async function checkWhileSilent(environment: Environment, users: SimulatedUsers): Promise<string[]> {
  const { queue, services } = environment;
  const all = JOBS_AT_A_TIME.processor * services.length;
  await queue.add('processor', JOBS);
  if (!(await waitUntil(async () => (await queue.running('close-customer')) === all, TAKEN_MS)))
    return [`fewer than ${all} calls hang`];
  return checkOtherWork(environment, users);
}

async function checkWhileLying(environment: Environment, users: SimulatedUsers): Promise<string[]> {
  const { queue, services } = environment;
  await queue.add('processor', JOBS);
  const [{ token }] = await newTenants(environment, `lied-to-${performance.now()}`, 1);
  const end = pause(LYING_MS);
  const told = await fetch(`${services[0].address}/api/v1/billing/checkout`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ planName: 'Pro' }),
  });
  const { error } = (await told.json()) as { error?: { code: string } };
  const wrong = await checkOtherWork(environment, users);
  await end;
  return [
    ...wrong,
    ...(told.status === 503 && error?.code === 'BILLING_UNAVAILABLE' ? [] : [`told ${told.status} ${error?.code}`]),
  ];
}

async function checkOtherWork(environment: Environment, users: SimulatedUsers): Promise<string[]> {
  const email = await users.register();
  const [mailed, worked, ready] = await Promise.all([
    email !== undefined && users.haveMail([email], SOON_MS),
    environment.queue.doesWork('database', SOON_MS),
    areReady(environment, true, SOON_MS),
  ]);
  return [
    ...(mailed ? [] : ['mails wait for the processor']),
    ...(worked ? [] : ['jobs of the database wait for the processor']),
    ...(ready ? [] : ['not ready because of the processor']),
  ];
}
