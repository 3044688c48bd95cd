import { execFileSync } from 'node:child_process';

/**
 * The files in the repository, sorted.
 * @param patterns folders or patterns of git; all files by default
 */
export const trackedFiles = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
