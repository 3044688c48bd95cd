import { setTimeout as pause } from 'node:timers/promises';
import { unready, type Fault } from './fault';
import { areReady } from './recovery';
import type { Environment } from './environment';
import { stopGracefully } from './graceful-stop';
import { waitUntil } from './wait-until';

const DOWN_MS = 3000;
const READY_MS = 15_000;
const ROUNDS = 25;
const ROUND_MS = 200;
const WRITTEN = ['users', 'refresh_tokens', 'webhook_events', 'invitations'];
const SLOW_MAIL_MS = 50;

const restart = ({ postgres, database }: Environment) => postgres.launch(database);

/** Faults of PostgreSQL itself and its backends. */
export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL crashed, back after 3 s',
    isShort: true,
    causesErrors: true,
    run: unready(DOWN_MS, ({ postgres }) => postgres.stop('immediate'), restart),
  },
  {
    name: 'PostgreSQL stopped, back after 3 s',
    causesErrors: true,
    run: unready(DOWN_MS, ({ postgres }) => postgres.stop('fast'), restart),
  },
  { name: 'PostgreSQL restarted while emails are being sent, then SIGTERM', stops: true, run: restartWhileMailing },
  {
    name: 'backends terminated every 200 ms, 5 s',
    run: (environment) => inRounds(environment, 'pg_terminate_backend'),
  },
  {
    name: 'statements canceled every 200 ms, 5 s',
    causesErrors: true,
    run: (environment) => inRounds(environment, 'pg_cancel_backend'),
  },
];

/** Locks a table for half of each round, so that backends are ended in the middle of writes. */
async function inRounds(
  { postgres }: Environment,
  signal: 'pg_terminate_backend' | 'pg_cancel_backend',
): Promise<string[]> {
  for (let round = 0; round < ROUNDS; round++) {
    await postgres.connected(async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${WRITTEN[round % WRITTEN.length]} IN SHARE MODE`);
      await pause(ROUND_MS / 2);
      await postgres.signalBackends(signal);
    });
    await pause(ROUND_MS / 2);
  }
  return [];
}

async function restartWhileMailing(environment: Environment): Promise<string[]> {
  const { postgres, mail, queue, services } = environment;
  const [victim] = services;
  mail.delayMs = SLOW_MAIL_MS;
  try {
    const wrong: string[] = [];
    if (!(await waitUntil(async () => (await queue.running('send-%')) > 0, READY_MS)))
      wrong.push('no mail is being sent');
    await postgres.stop('fast');
    await restart(environment);
    if (!(await areReady(environment, true, READY_MS))) wrong.push('not ready after the restart');
    await waitUntil(async () => (await queue.running('send-%')) > 0, READY_MS);
    wrong.push(...(await stopGracefully(victim)));
    victim.launch();
    await victim.untilReady();
    return wrong;
  } finally {
    mail.delayMs = 0;
  }
}
