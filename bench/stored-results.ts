import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions, ProgramName } from './command-line';
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

/**
 * Stores what a part of the bench has found.
 * @param isWhole whether it was measured whole; otherwise its lines replace those of the same names
 */
export function storeResult(
  part: PartName,
  { figures, traffic, tables }: Report,
  { rounds, seconds, isWhole }: Pick<BenchOptions, 'rounds' | 'seconds' | 'isWhole'>,
): void {
  const stored = isWhole ? undefined : storedResult(part);
  const result: StoredResult = {
    node: process.versions.node,
    rounds,
    seconds,
    figures: merged(stored?.figures, figures, ({ work }) => work),
    traffic: merged(stored?.traffic, traffic, ([request]) => request),
    tables: merged(stored?.tables, tables, ({ title }) => title),
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(part), `${JSON.stringify(result, null, 2)}\n`);
}

/** The stored lines in their order, with those of the same names replaced, and then the others. */
function merged<Line>(stored: readonly Line[] = [], measured: readonly Line[], nameOf: (line: Line) => string) {
  const lines = new Map(stored.map((line) => [nameOf(line), line]));
  for (const line of measured) lines.set(nameOf(line), line);
  return [...lines.values()];
}

/** What is stored of a part; undefined if it was never measured. */
export const storedResult = (part: PartName): StoredResult | undefined =>
  existsSync(fileOf(part)) ? (JSON.parse(readFileSync(fileOf(part), 'utf8')) as StoredResult) : undefined;
