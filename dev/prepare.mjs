// Installs packages and builds what a fresh clone lacks. It may import Node's own modules only.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is required. This is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a step and prints a dot every two seconds. Its output is shown only if it fails. */
async function step(what, command, args) {
  process.stdout.write(`  ${what} …`);
  const start = performance.now();
  const dots = setInterval(() => process.stdout.write('.'), 2000);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const status = await new Promise((resolve) =>
    child.on('close', resolve).on('error', (error) => resolve(error.message)),
  );
  clearInterval(dots);
  if (status !== 0) {
    console.error(` failed\n${output}`);
    process.exit(1);
  }
  console.log(` done (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

/** Installs the packages of the lock file, unless they are installed. */
export async function installIfNeeded() {
  await import('./git-hooks.mjs'); // `npm ci` would activate them, but is skipped if nothing changed
  const stamp = 'node_modules/.installed';
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await step('Installing packages (takes a minute or two, only once)', 'npm', [
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  writeFileSync(stamp, lock);
}

const TSC = 'node_modules/typescript/bin/tsc';
const VITE = 'node_modules/vite/bin/vite.js';

/** What can be built, from which sources, with which outputs. The pages depend on the client. */
export const PARTS = {
  service: {
    sources: ['src', 'migrations', 'dev', 'bench', 'tsconfig.json', 'tsconfig.build.json'],
    outputs: ['dist/src', 'dist/migrations', 'dist/dev', 'dist/bench'],
    command: [TSC, '-p', 'dev/tsconfig.json', '--noCheck'], // `npm run types` checks the types
    afterwards: ['dev/copy-mail-templates.mjs'],
  },
  client: { sources: ['client'], outputs: ['client/dist'], command: [TSC, '-p', 'client/tsconfig.json'] },
  panel: {
    sources: ['client', 'panel'],
    outputs: ['dist/pages/admin'],
    command: [VITE, 'build', 'panel', '--logLevel', 'warn'],
  },
  sample: {
    sources: ['client', 'sample'],
    outputs: ['dist/pages/app'],
    command: [VITE, 'build', 'sample', '--logLevel', 'warn'],
  },
};

/**
 * Builds the named parts whose sources have changed since the last build.
 */
export async function buildIfNeeded(...names) {
  for (const name of names) {
    const { sources, outputs, command, afterwards } = PARTS[name];
    const stamp = `dist/.built-${name}`;
    const isBuilt = outputs.every((path) => existsSync(path)) && existsSync(stamp);
    if (isBuilt && statSync(stamp).mtimeMs > Math.max(...[...sources, 'package-lock.json'].map(newest))) continue;
    for (const path of outputs) rmSync(path, { recursive: true, force: true });
    mkdirSync('dist', { recursive: true });
    await step(`Building the ${name}`, process.execPath, command);
    if (afterwards) execFileSync(process.execPath, afterwards);
    writeFileSync(stamp, '');
  }
}

/**
 * The time of the last change of a file or of anything in a folder, in milliseconds. Installed and
 * built files do not count.
 */
function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const all = readdirSync(path);
  const inside = all.filter((name) => name !== 'node_modules' && name !== 'dist');
  // the time of the folder itself shows deleted files, but not in a folder that has build output
  const own = inside.length === all.length ? mtimeMs : 0;
  return Math.max(own, ...inside.map((name) => newest(join(path, name))));
}
