import { PreparingClient } from '../../src/platform/database/preparing-client';
import type { TestDatabase } from './database';

/** Creates the table `notes` anew, with two rows, for tests of how statements are sent. */
export async function resetNotes(database: TestDatabase): Promise<void> {
  await database.query('DROP TABLE IF EXISTS notes');
  await database.query('CREATE TABLE notes (number integer PRIMARY KEY, title text NOT NULL)');
  await database.query(`INSERT INTO notes VALUES (1, 'first'), (2, 'second')`);
}

/** A connection that prepares frequent statements. The caller ends it. */
export async function connectPreparing({ superuserUrl }: TestDatabase): Promise<PreparingClient> {
  const client = new PreparingClient({ connectionString: superuserUrl, pipeline: true });
  await client.connect();
  return client;
}

/** The texts of the statements that a connection has prepared, without the added names. */
export async function preparedTexts(client: PreparingClient): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements ORDER BY statement',
  );
  return rows.map(({ statement }) => statement.replace(/ \/\* \w{32} \*\/$/, ''));
}
