import { setTimeout as pause } from 'node:timers/promises';
import { ENTITY_CLASSES } from '../../../src/entities';
import { EXPECTED_MIGRATIONS } from '../../../src/platform/database/expected-migrations';
import { migrate } from '../../../src/platform/database/migrate';
import { TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { fillHotTables, MigrationTraffic, OpenTransaction, revertTo } from '../../support/migration-traffic';
import { sourceCommand } from '../../support/source-command';

/** `MIGRATION_USERS=100000` migrates a larger database. */
const USERS = Number(process.env.MIGRATION_USERS ?? 20_000);

/** A migration that changes nine tables, and the last one that creates an index concurrently. */
const MANY_TABLES = '1765230000000';
const LAST_INDEX = '1766300000000';

/** Milliseconds for which a migration waits for locks, and what a busy machine adds. */
const MOST_DELAYED_MS = 1000 + 600;

const DUMP_MS = 6000;
const READS = `SELECT count(*), 'a secret value' FROM users, sessions, tenants WHERE false`;
const MINUTE = 60_000;

describe('Migrations of a service that runs', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await TestDatabase.create();
  });
  afterEach(() => database.drop());

  const applied = async () =>
    (await database.query<{ timestamp: string }>('SELECT timestamp FROM migrations')).map((row) => row.timestamp);
  const blockedBy = (pid: number) => new RegExp(`is blocked by .*pid ${pid} .*application pg_dump`);

  it(
    `are applied without delaying its statements, and name the dump that they wait for`,
    async () => {
      await revertTo(database, MANY_TABLES);
      await fillHotTables(database, USERS);
      const traffic = MigrationTraffic.start(database, USERS / 10);
      const dump = await OpenTransaction.begin(database.urls.owner, READS);
      const dumped = pause(DUMP_MS).then(() => dump.end());
      const lines: string[] = [];
      const taken = await migrate(database.urls, ENTITY_CLASSES, undefined, { report: (line) => lines.push(line) });
      await dumped;
      await traffic.stop();
      if (process.env.MIGRATION_USERS)
        process.stdout.write(`${lines.join('\n')}\n${traffic.statements} statements, slowest ${traffic.slowest} ms\n`);
      expect(traffic.errors).toEqual([]);
      expect(traffic.slowest).toBeLessThan(MOST_DELAYED_MS);
      expect(traffic.statements).toBeGreaterThan(500);
      expect(lines.filter((line) => blockedBy(dump.pid).test(line))).not.toEqual([]);
      expect(lines.join('\n')).toContain(`role tenantry_owner, application pg_dump, idle in transaction, for`);
      expect(lines.join('\n')).toContain(': SELECT count(*),…');
      expect(lines.at(-1)).toContain(`${taken.length} of ${taken.length}: ${taken.at(-1)}`);
      expect((await applied()).sort()).toEqual([...EXPECTED_MIGRATIONS].sort());
    },
    3 * MINUTE,
  );

  it(
    'fail after a while if the dump does not end, and continue when they are run again',
    async () => {
      await revertTo(database, MANY_TABLES);
      const before = await applied();
      const dump = await OpenTransaction.begin(database.superuserUrl, READS);
      await expect(migrate(database.urls, ENTITY_CLASSES, undefined, { patienceMs: 1500 })).rejects.toThrow(
        new RegExp(
          `^0 of \\d+ migrations are applied. ScopeAcrossTenantsFirst\\d+: .*pid ${dump.pid} ` +
            `\\(role postgres, application pg_dump, pg_read_all_stats shows its age and query\\)$`,
        ),
      );
      expect(await applied()).toEqual(before);
      await dump.end();
      expect((await migrate(database.urls, ENTITY_CLASSES)).length).toBe(EXPECTED_MIGRATIONS.length - before.length);
    },
    MINUTE,
  );

  it(
    'wait for a transaction instead of leaving an invalid index, and report it',
    async () => {
      await revertTo(database, LAST_INDEX);
      const dump = await OpenTransaction.begin(database.urls.owner, READS);
      const lines: string[] = [];
      const migrated = migrate(database.urls, ENTITY_CLASSES, undefined, { report: (line) => lines.push(line) });
      await eventually(() => lines.length > 0, 'a line about the statement that waits', 30_000);
      await dump.end();
      await migrated;
      expect(lines[0]).toMatch(/CREATE INDEX CONCURRENTLY .*: \d+ s, waiting for pid \d+ \(role tenantry_owner/);
      expect(lines.join()).not.toContain('blocked');
      expect(await database.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
    },
    MINUTE,
  );

  it(
    'can be run again after the command lost its connection, and say so',
    async () => {
      await revertTo(database, MANY_TABLES);
      const dump = await OpenTransaction.begin(database.urls.owner, READS);
      const environment = { DATABASE_URL: database.urls.service, MIGRATION_DATABASE_URL: database.urls.owner };
      const command = () => sourceCommand('src/migrate.ts', [], environment);
      const lost = command();
      await database.untilWaiting(1);
      await database.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tenantry migrate' AND wait_event_type = 'Lock' AND datname = current_database()`);
      const { status, errors } = await lost;
      expect([status, errors]).toEqual([1, expect.stringContaining('Run "npm run migrate" again')]);
      const again = command();
      await dump.end();
      expect(await again).toEqual({ status: 0, errors: '', output: expect.stringMatching(/\nApplied Scope.*\.\n$/) });
      expect(await command()).toMatchObject({ output: 'Nothing to do: the database is up to date.\n' });
    },
    2 * MINUTE,
  );

  it(
    'take turns in several processes, of which the waiting one names the other',
    async () => {
      await revertTo(database, LAST_INDEX);
      const dump = await OpenTransaction.begin(database.urls.owner, READS);
      const first = migrate(database.urls, ENTITY_CLASSES);
      await database.untilWaiting(1);
      const lines: string[] = [];
      const second = migrate(database.urls, ENTITY_CLASSES, undefined, { report: (line) => lines.push(line) });
      await eventually(() => lines.length > 0, 'a line about the other process');
      expect(lines[0]).toMatch(/^Waiting for another process .*application tenantry migrate, active/);
      await dump.end();
      expect((await first).length).toBeGreaterThan(0);
      expect(await second).toEqual([]);
    },
    MINUTE,
  );
});
