import { spawnSync } from 'node:child_process';

/** What to check. */
export interface TypedChecks {
  /** Files whose types are checked, with those that they import. */
  readonly types?: readonly string[];
  /** Files that are linted. */
  readonly lint: readonly string[];
  /** Texts that are read in place of files, which need not exist. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** What is wrong in a file. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  /** The rule of ESLint, or the number of TypeScript's message. */
  readonly rule: string;
  readonly message: string;
}

/**
 * Checks the types of files and lints them, with one program of TypeScript.
 * @param folder the repository, or a copy of it
 */
export function typedFindings(checks: TypedChecks, folder = process.cwd()): Finding[] {
  const options = { cwd: folder, input: JSON.stringify(checks), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['test/support/types-and-lint.mjs'], options);
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Finding[];
}
