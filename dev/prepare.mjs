// What a fresh clone lacks: packages and a build. Nothing but Node's own modules here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a step, telling that it runs and how long it took; what it prints is shown only when it fails. */
function step(what, command, args) {
  process.stdout.write(`  ${what} …`);
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) {
    console.error(` failed\n${stdout ?? ''}${stderr ?? ''}`);
    process.exit(1);
  }
  console.log(` done (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

/** Installs the packages of the lock file, unless they are. */
export function installIfNeeded() {
  const stamp = 'node_modules/.installed';
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('Installing packages (a minute or two, once)', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

/** Compiles the service and what local mode adds to it, unless nothing has changed since. */
export function buildIfNeeded() {
  const stamp = 'dist/.built';
  const sources = ['src', 'migrations', 'dev', 'bench', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  if (existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources.map(newest))) return;
  rmSync('dist', { recursive: true, force: true });
  step('Building', process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'dev/tsconfig.json']);
  writeFileSync(stamp, '');
}

function newest(path) {
  const { mtimeMs } = statSync(path);
  return statSync(path).isDirectory() ? Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name)))) : mtimeMs;
}
