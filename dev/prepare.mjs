// What a fresh clone lacks: packages and a build. Nothing but Node's own modules here.
import { spawn } from 'node:child_process';
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

/** Runs a step, a dot for every two seconds of it; what it prints is shown only when it fails. */
async function step(what, command, args) {
  process.stdout.write(`  ${what} …`);
  const start = performance.now();
  const dots = setInterval(() => process.stdout.write('.'), 2000);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const status = await new Promise((resolve) => child.on('close', resolve).on('error', (error) => resolve(error.message)));
  clearInterval(dots);
  if (status !== 0) {
    console.error(` failed\n${output}`);
    process.exit(1);
  }
  console.log(` done (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

/** Installs the packages of the lock file, unless they are. */
export async function installIfNeeded() {
  const stamp = 'node_modules/.installed';
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await step('Installing packages (a minute or two, once)', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

/** Compiles the service and what local mode adds to it, unless nothing has changed since. */
export async function buildIfNeeded() {
  const stamp = 'dist/.built';
  const sources = ['src', 'migrations', 'dev', 'bench', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  if (existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources.map(newest))) return;
  rmSync('dist', { recursive: true, force: true });
  await step('Building', process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'dev/tsconfig.json']);
  writeFileSync(stamp, '');
}

function newest(path) {
  const { mtimeMs } = statSync(path);
  return statSync(path).isDirectory() ? Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name)))) : mtimeMs;
}
