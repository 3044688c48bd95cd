import { readMigrationSettings } from './config/database-urls';
import { processEnvironment, InvalidSettings } from './config/read-environment';
import { ENTITY_CLASSES } from './entities';
import { migrate } from './platform/database/migrate';

/** The command `npm run migrate`. */
async function main(): Promise<void> {
  const { urls, auditRetentionMonths } = readMigrationSettings(processEnvironment());
  const taken = await migrate(urls, ENTITY_CLASSES, auditRetentionMonths);
  process.stdout.write(
    taken.length > 0 ? `Applied ${taken.join(', ')}.\n` : 'Nothing to do: the database is up to date.\n',
  );
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof InvalidSettings ? error.message : error.stack}\n`);
  process.exit(1);
});
