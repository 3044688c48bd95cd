import { inspect } from 'node:util';
import { readMigrationSettings } from './config/database-urls';
import { processEnvironment, InvalidSettings } from './config/read-environment';
import { ENTITY_CLASSES } from './entities';
import { migrate } from './platform/database/migrate';

const RUN_AGAIN = `
What was applied stays, and the service keeps working with it.
Run "npm run migrate" again when the cause is gone: it continues with the migration that failed.
`;

/** The command `npm run migrate`. */
async function main(): Promise<void> {
  const { urls, auditRetentionMonths } = readMigrationSettings(processEnvironment());
  const report = (line: string) => {
    process.stdout.write(`${line}\n`);
  };
  const taken = await migrate(urls, ENTITY_CLASSES, auditRetentionMonths, { report });
  report(taken.length > 0 ? `Applied ${taken.join(', ')}.` : 'Nothing to do: the database is up to date.');
}

main().catch((error: unknown) => {
  process.stderr.write(error instanceof InvalidSettings ? `${error.message}\n` : `${inspect(error)}\n${RUN_AGAIN}`);
  process.exit(1);
});
