import { execFileSync } from 'node:child_process';

/**
 * The commit that a change starts from: where it has left origin/main, or main if there is no
 * origin. On main itself without an origin: the last commit.
 */
export function baseCommit(): string {
  const main = ['origin/main', 'main', 'HEAD'].find(
    (name) => git('rev-parse', '--verify', '--quiet', name).length > 0,
  )!;
  return git('merge-base', 'HEAD', main)[0];
}

/** The files that were changed, added or deleted since a commit, committed or not. */
export const changedFiles = (base: string): string[] => [
  ...new Set([...git('diff', '--name-only', base), ...untracked()]),
];

/** The files of the working tree, except ignored ones. */
export const allFiles = (): string[] => [...git('ls-files'), ...untracked()];

const untracked = () => git('ls-files', '--others', '--exclude-standard');

/** Runs git. @returns the lines of its output; none if it fails */
function git(...args: string[]): string[] {
  try {
    const output = execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
