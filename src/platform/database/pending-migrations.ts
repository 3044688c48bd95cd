import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';
import { withinLockBudget } from './lock-budget';
import { untilUnblocked, type Repetition } from './migration-attempts';

/** A migration failed. Those before it are applied and stay. */
export class MigrationFailed extends Error {}

/**
 * Applies the migrations that the database lacks, each in its own transaction, unless it asks for
 * none: then its statements can be repeated. One that does not get its locks is repeated as a
 * whole.
 * @param runner its connection is used
 * @returns the names of the migrations
 * @throws MigrationFailed
 */
export async function applyPending(source: DataSource, runner: QueryRunner, by: Repetition): Promise<string[]> {
  const pending = await new MigrationExecutor(source, runner).getPendingMigrations();
  for (const [index, migration] of pending.entries()) {
    const start = performance.now();
    try {
      await applyOne(source, runner, migration, by);
    } catch (error) {
      const reason = `${migration.name}: ${(error as Error).message}`;
      throw new MigrationFailed(`${index} of ${pending.length} migrations are applied. ${reason}`, { cause: error });
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    by.report(`${index + 1} of ${pending.length}: ${migration.name} (${seconds} s)`);
  }
  return pending.map(({ name }) => name);
}

async function applyOne(source: DataSource, runner: QueryRunner, migration: Migration, by: Repetition): Promise<void> {
  const inTransaction = migration.instance?.transaction !== false;
  const attempt = async () => {
    if (inTransaction) await runner.startTransaction();
    try {
      const budgeted = withinLockBudget(runner, by.watch, migration.name);
      await new MigrationExecutor(source, budgeted).executeMigration(migration);
      if (inTransaction) await runner.commitTransaction();
    } catch (error) {
      if (inTransaction) await runner.rollbackTransaction().catch(() => undefined); // the connection may be gone
      throw error;
    }
  };
  await untilUnblocked(migration.name, attempt, by);
}
