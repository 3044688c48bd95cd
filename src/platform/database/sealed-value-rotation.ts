import type { Client } from 'pg';
import { CannotOpen, type Vault } from '../vault';
import type { SealedColumn } from './sealed-column.decorator';
import { readRowsOfOtherKeys, replaceValues, type Replacement, type SealedRow } from './sealed-value-statements';
import { acrossTenants } from './unlimited-transaction';

/** Values per transaction: few enough to lock no row for long. */
const BATCH = 500;

/** What the rotation of a column has done. */
export interface RotationProgress {
  /** Values that are under the first key now. */
  readonly reencrypted: number;
  /** Values that someone else changed or deleted meanwhile, and that were left alone. */
  readonly changed: number;
  /** Values that cannot be opened, and were left alone. */
  readonly failed: number;
}

/** Where a rotation reports to. */
export interface RotationReport {
  /** After each batch. */
  readonly progressed: (progress: RotationProgress) => void;
  /** For each value that cannot be opened. The error names its place and its key. */
  readonly failed: (error: CannotOpen) => void;
}

/**
 * Re-encrypts the values of a column that are not under the first key, in the order of the primary
 * key. It can be interrupted and repeated. A value that changes meanwhile is never overwritten.
 */
export async function rotateSealedValues(
  client: Client,
  vault: Vault,
  column: SealedColumn,
  report: RotationReport,
): Promise<RotationProgress> {
  let progress: RotationProgress = { reencrypted: 0, changed: 0, failed: 0 };
  let after: readonly string[] | undefined = [];
  while (after) {
    const page = { keyId: vault.keyId, after, limit: BATCH };
    const { rows, failed, replaced } = await acrossTenants(client, async () => {
      const found = await readRowsOfOtherKeys(client, column, page);
      const replacements = found.flatMap((row) => replacementOf(vault, column, row, report) ?? []);
      const unopened = found.length - replacements.length;
      return { rows: found, failed: unopened, replaced: await replaceValues(client, column, replacements) };
    });
    progress = {
      reencrypted: progress.reencrypted + replaced,
      changed: progress.changed + rows.length - failed - replaced,
      failed: progress.failed + failed,
    };
    report.progressed(progress);
    after = rows.length < BATCH ? undefined : rows[rows.length - 1].key;
  }
  return progress;
}

/** Undefined for a value that cannot be opened. */
function replacementOf(
  vault: Vault,
  { table, column }: SealedColumn,
  row: SealedRow,
  report: RotationReport,
): Replacement | undefined {
  const place = { table, column, id: row.key.join(':') };
  try {
    return { ...row, resealed: vault.seal(place, vault.open(place, row.sealed)) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    report.failed(error);
    return undefined;
  }
}
