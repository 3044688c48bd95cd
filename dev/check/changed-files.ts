import { execFileSync } from 'node:child_process';

/**
 * The commit that a change starts from: where it has left origin/main, or main if there is no
 * origin. On main itself without an origin: the last commit.
 */
export function baseCommit(): string {
  // sorted by name: origin's comes last
  const main = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main').at(-1);
  return git('merge-base', 'HEAD', main ?? 'HEAD')[0];
}

/** The files that were changed, added or deleted since a commit, committed or not. */
export const changedFiles = (base: string): string[] => [
  ...new Set([...git('diff', '--name-only', base), ...untracked()]),
];

/** The files of the working tree, except ignored ones. */
export const allFiles = (): string[] => [...git('ls-files'), ...untracked()];

const untracked = () => git('ls-files', '--others', '--exclude-standard');

/** Runs git. @returns the lines of its output @throws if it fails, as for an unknown commit */
function git(...args: string[]): string[] {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], options)
    .split('\n')
    .filter(Boolean);
}
