import { Client } from 'pg';
import { InvalidSettings, processEnvironment } from './config/read-environment';
import { readSecretsSettings } from './config/secrets-settings';
import { ENTITY_CLASSES } from './entities';
import { countNameOf, sealedColumnsOf, type SealedColumn } from './platform/database/sealed-column.decorator';
import { countSealedValues } from './platform/database/sealed-value-counts';
import { rotateSealedValues } from './platform/database/sealed-value-rotation';
import { Vault } from './platform/vault';

const USAGE = 'Usage: npm run secrets -- rotate\n';
/** A line is printed each time that so many more values are done. */
const VALUES_PER_LINE = 10_000;
/** Errors that are printed for a column; a missing key may concern a million values. */
const MOST_ERRORS = 20;

const print = (text: string) => process.stdout.write(`${text}\n`);
const printError = (text: string) => process.stderr.write(`${text}\n`);

/**
 * The command `npm run secrets`: shows how many values in the database are sealed with which key.
 * With `rotate` it first re-encrypts those that are not under the first key of SECRETS_KEYS. Exit
 * status 1: some of them remain, or the command failed.
 */
async function main([order, ...more]: string[]): Promise<void> {
  if ((order !== undefined && order !== 'rotate') || more.length > 0) throw new Refused(USAGE.trimEnd());
  const { databaseUrl, ring } = readSecretsSettings(processEnvironment());
  const vault = new Vault(ring);
  const columns = sealedColumnsOf(ENTITY_CLASSES);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if (order === 'rotate') for (const column of columns) await rotate(client, vault, column);
    const remaining = await report(client, vault, columns);
    if (order === undefined) process.stdout.write(`\n${USAGE}`);
    else if (remaining > 0) throw new Refused(`${remaining} values are not under the key ${vault.keyId}.`);
  } finally {
    await client.end();
  }
}

/** Rotates a column, and prints what happens. */
async function rotate(client: Client, vault: Vault, column: SealedColumn): Promise<void> {
  const name = countNameOf(column);
  let lines = 0;
  let errors = 0;
  const { reencrypted, changed, failed } = await rotateSealedValues(client, vault, column, {
    progressed: (progress) => {
      const done = progress.reencrypted + progress.changed + progress.failed;
      if (done < (lines + 1) * VALUES_PER_LINE) return;
      lines = Math.floor(done / VALUES_PER_LINE);
      print(`${name}: ${done} values so far`);
    },
    failed: ({ message }) => {
      if (++errors <= MOST_ERRORS) printError(message);
    },
  });
  if (errors > MOST_ERRORS) printError(`… and ${errors - MOST_ERRORS} more values of ${name}.`);
  const left = [
    ...(changed > 0 ? [`${changed} changed by others meanwhile`] : []),
    ...(failed > 0 ? [`${failed} cannot be opened`] : []),
  ];
  print([`${name}: ${reencrypted} re-encrypted`, ...left].join(', '));
}

/** Prints the number of values by key. @returns how many are not under the first key */
async function report(client: Client, vault: Vault, columns: readonly SealedColumn[]): Promise<number> {
  const counts = await countSealedValues(client, columns);
  const unknown = [...counts.keys()].filter((id) => !vault.keyIds.includes(id)).sort();
  for (const id of vault.keyIds) print(`${id.padEnd(16)} ${counts.get(id) ?? 0}`);
  for (const id of unknown) print(`${(id || '(no key)').padEnd(16)} ${counts.get(id)}  not in SECRETS_KEYS`);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return all - (counts.get(vault.keyId) ?? 0);
}

/** Reported without a stack trace. */
class Refused extends Error {}

main(process.argv.slice(2)).catch((error: Error) => {
  printError(error instanceof Refused || error instanceof InvalidSettings ? error.message : String(error.stack));
  process.exitCode = 1;
});
