import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { withBounds } from '../src/http/openapi/openapi-bounds';
import { breakingChanges, unannounced } from './api-changes';
import type { ApiDocument } from './api-document-model';

const FILE = 'client/openapi.json';

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs git. @returns its output, or undefined if it fails */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** The commit to compare with: where the branch left main, or the commit before on main itself. */
function baseCommit(): string | undefined {
  const head = git('rev-parse', 'HEAD');
  const base = git('merge-base', 'HEAD', 'origin/main');
  return base && base !== head ? base : git('rev-parse', 'HEAD^');
}

/**
 * `npm run api:check [-- <commit>]`: fails on changes of the API document that break clients,
 * unless CHANGELOG.md announces them. The environment variable API_BASE names the commit, too.
 */
function main(): void {
  const base = process.argv[2] ?? (process.env.API_BASE || baseCommit());
  const before = base && git('show', `${base}:${FILE}`);
  if (!before) {
    print(`No earlier ${FILE} to compare with${base ? ` in commit ${base}` : ''}.`);
    process.exitCode = process.env.GITHUB_ACTIONS ? 1 : 0; // there, the history is always fetched
    return;
  }
  const after = JSON.parse(readFileSync(FILE, 'utf8')) as ApiDocument;
  // what bounds every value is no change, if the earlier document did not say it
  const earlier = withBounds(JSON.parse(before) as OpenAPIObject) as unknown as ApiDocument;
  const changes = breakingChanges(earlier, after);
  const missing = unannounced(changes, readFileSync('CHANGELOG.md', 'utf8'));
  print(`${changes.length} breaking changes since ${base.slice(0, 8)}, ${missing.length} of them not announced.`);
  if (missing.length === 0) return;
  print(missing.map((change) => `  ${change}`).join('\n'));
  print('Name each operation under "### Breaking" in the Unreleased section of CHANGELOG.md.');
  process.exitCode = 1;
}

main();
