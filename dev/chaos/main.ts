import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { startPostgres } from '../embedded-postgres';
import { serviceDatabase } from '../service-database';
import { missingActivity } from './chaos-coverage';
import { runChaos } from './run';

const TENANTS = 500;
const ROUNDS = 30;

/**
 * `npm run chaos -- [seed] [tenants] [rounds] [activity]`: the convergence test, on its own
 * PostgreSQL. It fails, too, if the run did too little to prove anything.
 */
async function main(): Promise<void> {
  const [seed = Math.floor(performance.timeOrigin) % 1_000_000, tenants = TENANTS, rounds = ROUNDS, activity] =
    process.argv.slice(3).map(Number);
  process.stdout.write(`  Seed ${seed}, ${tenants} tenants, ${rounds} rounds\n`);
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-chaos-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder, { throwaway: true });
  try {
    const urls = await serviceDatabase(postgres, 'chaos');
    await migrate(urls, ENTITY_CLASSES);
    const progress = (line: string) => process.stdout.write(process.stdout.isTTY ? `\r\x1b[K  ${line}` : `  ${line}\n`);
    const report = await runChaos({
      seed,
      tenants,
      rounds,
      activity,
      databaseUrl: urls.service,
      main: join(__dirname, '../../src/main.js'),
      progress,
    });
    const { problems: differences, ...counts } = report;
    const problems = [...differences, ...missingActivity(report)];
    process.stdout.write(`\n${JSON.stringify(counts, null, 2)}\n`);
    process.stdout.write(
      problems.length === 0
        ? `\n  Converged (seed ${seed}).\n`
        : `\n  Failed (seed ${seed}):\n${problems.join('\n')}\n`,
    );
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`\n${error.stack}\n`);
  process.exit(1);
});
