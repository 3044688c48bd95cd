import type { BenchDatabase, BenchFolder } from './bench-database';
import type { BenchOptions } from './command-line';
import type { Report } from './report';

/** Accounts of the smaller databases, in a thousand tenants. */
export const SMALL = 10_000;
export const LARGE = 1_000_000;

/** What the parts of a run share. */
export interface BenchRun {
  /** The database server, with a folder for logs and temporary files. */
  readonly server: BenchFolder;
  readonly options: BenchOptions;
  readonly report: Report;
  /** Creates a database with accounts. */
  readonly prepare: (name: string, users: number) => Promise<BenchDatabase>;
  /** Shows the progress. */
  readonly say: (line: string) => void;
}
