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
const FAILING_MS = 8000;
const JOBS = 12;

const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
  `Connection: close\r\n\r\n${body}`;
const CANNED_RESPONSES: readonly (readonly [what: string, response: string])[] = [
  ['returns invalid data', answer('200 OK', '<html>\u0000{')],
  ['returns an empty object', answer('200 OK', '{}')],
  ['throttles (429)', answer('429 Too Many Requests', '{"error":{"type":"rate_limit_error","message":"slow down"}}')],
  ['fails (500)', answer('500 Internal Server Error', '{"error":{"type":"api_error","message":"sorry"}}')],
];

/**
 * Faults of Stripe. They delay only what calls Stripe, users get BILLING_UNAVAILABLE, and the jobs
 * are done after the recovery.
 */
export const STRIPE_FAULTS: readonly Fault[] = [
  {
    name: 'Stripe unresponsive',
    run: during(
      ({ payments }) => payments.freeze(),
      ({ payments }) => payments.thaw(),
      checkWhileSilent,
    ),
  },
  ...CANNED_RESPONSES.map(([what, response]) => ({
    name: `Stripe ${what}, 8 s`,
    run: during(
      ({ payments }) => (payments.cannedResponse = response),
      ({ payments }) => (payments.cannedResponse = undefined),
      checkWhileFailing,
    ),
  })),
  {
    name: 'Stripe resets connections, 8 s',
    run: during(
      ({ payments }) => (payments.resets = true),
      ({ payments }) => (payments.resets = false),
      checkWhileFailing,
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

async function checkWhileFailing(environment: Environment, users: SimulatedUsers): Promise<string[]> {
  const { queue, services } = environment;
  await queue.add('processor', JOBS);
  const [{ token }] = await newTenants(environment, `stripe-failing-${performance.now()}`, 1);
  const end = pause(FAILING_MS);
  const checkout = await fetch(`${services[0].address}/api/v1/billing/checkout`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ planName: 'Pro' }),
  });
  const { error } = (await checkout.json()) as { error?: { code: string } };
  const wrong = await checkOtherWork(environment, users);
  await end;
  return [
    ...wrong,
    ...(checkout.status === 503 && error?.code === 'BILLING_UNAVAILABLE'
      ? []
      : [`checkout returned ${checkout.status} ${error?.code}`]),
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
    ...(mailed ? [] : ['mails wait for Stripe']),
    ...(worked ? [] : ['database jobs wait for Stripe']),
    ...(ready ? [] : ['not ready because of Stripe']),
  ];
}
