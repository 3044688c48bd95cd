// `npm install` (script "prepare"), `npm start` and `npm test` run this: git uses the hooks in
// .githooks. It changes nothing
// in CI, outside a git checkout, or where another path of hooks is configured.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!process.env.CI && existsSync('.git') && configuredPath() === '') {
  git('config', 'core.hooksPath', '.githooks');
}

/** The configured path of hooks: '' if there is none, undefined if git cannot be asked. */
function configuredPath() {
  try {
    return git('config', '--default', '', '--get', 'core.hooksPath').trim();
  } catch {
    return undefined;
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
