// `npm run api:tools`: five generators make code from client/openapi.json, which must compile with
// strict TypeScript, and Spectral's OWASP rules must hold or have an exception in api-rules.mjs.
// The tools are installed in .data, from a lock file of their own: the service does not need them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { EXCEPTIONS, HINTS } from './api-rules.mjs';

const TOOLS = resolve('.data/openapi-generators');
const SOURCE = 'dev/openapi-generators';
const DOCUMENT = resolve(process.argv[2] ?? 'client/openapi.json');
const ERROR = 0; // severity

/** The programs that make code, with their arguments; the code is in these files below `code`. */
const GENERATORS = [
  ['swagger-typescript-api', 'swagger.ts', ['generate', '-p', DOCUMENT, '-o', 'code', '-n', 'swagger.ts', '--silent']],
  ['oazapfts', 'oazapfts.ts', [DOCUMENT, 'code/oazapfts.ts']],
  ['orval', 'orval.ts', ['--input', DOCUMENT, '--output', 'code/orval.ts', '--client', 'fetch']],
  ['openapi-ts', 'hey-api/index.ts', ['-i', DOCUMENT, '-o', 'code/hey-api']],
  ['openapi-zod-client', 'zod.ts', [DOCUMENT, '-o', 'code/zod.ts']],
];
const STRICT = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'.split(' ');

/** Runs a program in the folder of the tools. Fails with its output. */
function run(program, args) {
  try {
    execFileSync(program, args, { cwd: TOOLS, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return true;
  } catch ({ stdout, stderr, message }) {
    console.error(`${program}: ${message.split('\n')[0]}\n${stdout}\n${stderr}`);
    process.exitCode = 1;
    return false;
  }
}

/** Installs the tools, unless these versions are installed. */
function install() {
  const stamp = join(TOOLS, 'node_modules/.installed');
  const lock = createHash('sha256')
    .update(readFileSync(join(SOURCE, 'package-lock.json')))
    .digest('hex');
  mkdirSync(TOOLS, { recursive: true });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  cpSync(SOURCE, TOOLS, { recursive: true });
  const isInstalled = run('npm', ['ci']);
  if (isInstalled) writeFileSync(stamp, lock);
  return isInstalled;
}

/** Makes code with all generators, and compiles it. */
function generate() {
  rmSync(join(TOOLS, 'code'), { recursive: true, force: true });
  mkdirSync(join(TOOLS, 'code'));
  const files = GENERATORS.filter(([name, , args]) => run(join(TOOLS, 'node_modules/.bin', name), args));
  const code = files.map(([, file]) => `code/${file}`);
  const compiles = run(join(TOOLS, 'node_modules/.bin/tsc'), [...STRICT, '--lib', 'es2022,dom,dom.iterable', ...code]);
  console.log(
    `${files.length} of ${GENERATORS.length} generators made code, which ${compiles ? 'compiles' : 'fails'}.`,
  );
}

/** Prints the violations without an exception, and the exceptions that are not needed. */
async function lint() {
  const fromTools = createRequire(join(TOOLS, 'package.json'));
  const { Document, Spectral } = fromTools('@stoplight/spectral-core');
  const { Json } = fromTools('@stoplight/spectral-parsers');
  const rules = fromTools('@stoplight/spectral-owasp-ruleset');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [rules.default ?? rules] });
  const found = await spectral.run(new Document(readFileSync(DOCUMENT, 'utf8'), Json, 'openapi.json'));
  const used = new Set();
  const wrong = found.flatMap(({ severity, code, path, message }) => {
    const place = path.join('/');
    const exception = EXCEPTIONS.find(({ rule, at }) => rule === code && at.test(place));
    if (severity !== ERROR || exception) return used.add(exception) && [];
    return [`${place}\n  ${code}: ${message} ${HINTS[code.split('2023-')[1]] ?? ''}`];
  });
  const unused = EXCEPTIONS.filter((exception) => !used.has(exception)).map(({ rule }) => `${rule}: not needed`);
  console.log(`${found.length} remarks of the OWASP rules, ${wrong.length} of them errors without an exception.`);
  if (wrong.length + unused.length === 0) return;
  console.error([...wrong, ...unused].join('\n'));
  process.exitCode = 1;
}

if (install()) {
  generate();
  await lint();
}
