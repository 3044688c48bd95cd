import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramName } from './command-line';
import type { Figure, Report, TextTable } from './report';
import type { Traffic } from './query-counter';

const FOLDER = 'bench/results';

/** What a part of the bench has found, as it is kept in bench/results. */
export interface StoredResult {
  /** The version of Node, which runs the service, the baseline and the drivers. */
  readonly node: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  readonly traffic: readonly (readonly [request: string, Traffic])[];
  readonly tables: readonly TextTable[];
}

export type PartName = 'main' | ProgramName;

const fileOf = (part: PartName) => join(FOLDER, `${part}.json`);

export function storeResult(part: PartName, report: Report, { rounds, seconds }: { rounds: number; seconds: number }) {
  mkdirSync(FOLDER, { recursive: true });
  const { figures, traffic, tables } = report;
  const result: StoredResult = { node: process.versions.node, rounds, seconds, figures, traffic, tables };
  writeFileSync(fileOf(part), `${JSON.stringify(result, null, 2)}\n`);
}

/** The result of the last full run of a part; undefined if there is none. */
export const storedResult = (part: PartName): StoredResult | undefined =>
  existsSync(fileOf(part)) ? (JSON.parse(readFileSync(fileOf(part), 'utf8')) as StoredResult) : undefined;
