import { setTimeout as pause } from 'node:timers/promises';
import { Callers } from './callers';
import type { Stage } from './stage';

/** What befalls the service, and what was wrong meanwhile. */
export interface Fault {
  readonly name: string;
  /** Whether it belongs to the short run. */
  readonly isShort: boolean;
  /** @returns once it is over, with what must not have happened */
  readonly befall: (stage: Stage) => Promise<string[]>;
}

const HONEST_MS = 15_000;
const CALLERS = 20;

/** Lasts some milliseconds, and is undone whatever happens. */
const lasting = (ms: number, begin: (stage: Stage) => unknown, end: (stage: Stage) => unknown) => async (stage: Stage) => {
  await begin(stage);
  try {
    await pause(ms);
  } finally {
    await end(stage);
  }
  return [];
};

/** The same, and nobody is ready meanwhile. */
const unready = (ms: number, begin: (stage: Stage) => unknown, end: (stage: Stage) => unknown) => async (stage: Stage) => {
  await begin(stage);
  try {
    const [isHonest] = await Promise.all([stage.areAll(false, HONEST_MS), pause(ms)]);
    return isHonest ? [] : ['ready although the database is away'];
  } finally {
    await end(stage);
  }
};

const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse();
  CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()`;
const FORGIVE = 'DROP TRIGGER refuse ON graphile_worker._private_jobs; DROP TRIGGER refuse ON users; DROP FUNCTION refuse()';

/** Everything that is tried, in this order. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL gone for 4 s',
    isShort: true,
    befall: unready(
      4000,
      ({ database }) => database.cut(),
      ({ database }) => database.mend(),
    ),
  },
  {
    name: 'PostgreSQL silent for 8 s',
    isShort: true,
    befall: unready(
      8000,
      ({ database }) => database.freeze(),
      ({ database }) => database.thaw(),
    ),
  },
  {
    name: 'every answer of PostgreSQL cut in the middle, 5 s',
    isShort: true,
    befall: lasting(
      5000,
      ({ database }) => (database.breaks = true),
      ({ database }) => (database.breaks = false),
    ),
  },
  { name: 'backends ended every 200 ms, 5 s', isShort: true, befall: endBackends },
  {
    name: 'PostgreSQL 100 ms away, 10 s',
    isShort: false,
    befall: lasting(
      10_000,
      ({ database }) => (database.delayMs = 100),
      ({ database }) => (database.delayMs = 0),
    ),
  },
  {
    name: 'PostgreSQL trickles, 10 s',
    isShort: false,
    befall: lasting(
      10_000,
      ({ database }) => (database.trickles = true),
      ({ database }) => (database.trickles = false),
    ),
  },
  {
    name: 'disk full, 10 s',
    isShort: false,
    befall: lasting(
      10_000,
      (stage) => stage.sql(REFUSE),
      (stage) => stage.sql(FORGIVE),
    ),
  },
  {
    name: 'read-only, 10 s',
    isShort: false,
    befall: lasting(10_000, setDatabase('SET default_transaction_read_only = on'), setDatabase('RESET default_transaction_read_only')),
  },
  {
    name: 'three connections at most, 10 s',
    isShort: false,
    befall: lasting(10_000, setDatabase('CONNECTION LIMIT 3'), setDatabase('CONNECTION LIMIT -1')),
  },
  {
    name: 'mail server silent for 12 s',
    isShort: false,
    befall: lasting(
      12_000,
      ({ mail }) => mail.freeze(),
      ({ mail }) => mail.thaw(),
    ),
  },
  {
    name: 'mail server hangs up, 10 s',
    isShort: false,
    befall: lasting(
      10_000,
      ({ mail }) => (mail.breaks = true),
      ({ mail }) => (mail.breaks = false),
    ),
  },
  {
    name: 'mail server gone for 5 s',
    isShort: false,
    befall: lasting(
      5000,
      ({ mail }) => mail.cut(),
      ({ mail }) => mail.mend(),
    ),
  },
  { name: 'processor silent, its jobs waiting, 10 s', isShort: false, befall: lasting(10_000, silenceProcessor, ({ payments }) => payments.thaw()) },
  { name: 'one of two instances killed', isShort: true, befall: killOne },
  { name: 'SIGTERM under load', isShort: true, befall: stopOne },
];

async function endBackends(stage: Stage): Promise<string[]> {
  for (let time = 0; time < 25; time++) {
    await stage.endBackends();
    await pause(200);
  }
  return [];
}

function setDatabase(change: string) {
  return async (stage: Stage) => {
    await stage.sql(`ALTER DATABASE faults ${change}`);
    await stage.endBackends();
  };
}

async function silenceProcessor(stage: Stage): Promise<void> {
  stage.payments.freeze();
  const payload = `json_build_object('command', json_build_object('tenantId', gen_random_uuid(), 'customerId', 'cus_nobody'), 'requestId', 'faults')`;
  await stage.sql(`SELECT graphile_worker.add_job('close-customer', ${payload}, max_attempts => 1) FROM generate_series(1, 12)`);
}

async function killOne({ services: [victim] }: Stage): Promise<string[]> {
  await victim.kill();
  await pause(2000);
  victim.begin();
  return [];
}

async function stopOne({ services: [victim] }: Stage): Promise<string[]> {
  const callers = new Callers();
  const calling = callers.call(victim.address, CALLERS);
  await pause(1000);
  const start = performance.now();
  const code = await victim.stop();
  const seconds = (performance.now() - start) / 1000;
  await calling;
  victim.begin();
  return [
    ...(code === 0 ? [] : [`ended with ${String(code)}`]),
    ...(seconds < 35 ? [] : [`took ${seconds.toFixed(0)} s`]),
    ...(callers.broken.length === 0 ? [] : [`${callers.broken.length} of ${callers.answers} requests broken (${callers.broken[0]})`]),
  ];
}
