import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WORKSPACES = ['client', 'panel', 'sample'];
/** Later than any change of a test. */
const LATER = new Date('2100-01-01');

/** How a command ended, with everything that it printed. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** A copy of the repository in a temporary folder, with links to the installed packages. */
export class RepositoryCopy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenantry-copy-')));

  constructor() {
    chmodSync(this.folder, 0o755); // PostgreSQL runs as another user, if this one is root
    const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { encoding: 'utf8' });
    for (const file of files.split('\0').filter((name) => name && existsSync(name)))
      cpSync(file, join(this.folder, file));
    this.linkPackages();
    // many checks ask git for the files
    this.run('git', ['init', '--quiet']);
    this.run('git', ['add', '--all']);
  }

  /** A folder of links, so that a command cannot change the packages of this repository. */
  private linkPackages(): void {
    const packages = join(this.folder, 'node_modules');
    mkdirSync(packages);
    for (const name of [...readdirSync('node_modules').filter((entry) => !entry.startsWith('.')), '.bin'])
      symlinkSync(join(process.cwd(), 'node_modules', name), join(packages, name));
    for (const name of WORKSPACES.map((workspace) => join(workspace, 'node_modules')))
      if (existsSync(name)) symlinkSync(join(process.cwd(), name), join(this.folder, name));
    const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
    writeFileSync(join(packages, '.installed'), lock); // dev/prepare.mjs installs nothing
    this.markClientAsBuilt();
  }

  /** No check needs the built client. `npm run client:types` would build it. */
  private markClientAsBuilt(): void {
    const stamp = join(this.folder, 'dist/.built-client');
    for (const path of ['dist', 'client/dist']) mkdirSync(join(this.folder, path));
    writeFileSync(stamp, '');
    utimesSync(stamp, LATER, LATER);
  }

  run(command: string, args: readonly string[]): Outcome {
    const options = { cwd: this.folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const { status, stdout, stderr } = spawnSync(command, args, options);
    return { status, output: `${stdout}${stderr}` };
  }

  /** Runs a script of `npm run make:<kind>`. */
  make(kind: string, ...args: readonly string[]): Outcome {
    return this.runSource('dev/make/main.ts', kind, ...args);
  }

  /** Makes several things in one process, without the scripts that follow. */
  makeAll(calls: readonly (readonly string[])[]): Outcome {
    return this.runSource('test/support/make-all.ts', JSON.stringify(calls.map((call) => [...call, '--skip-scripts'])));
  }

  private runSource(file: string, ...args: readonly string[]): Outcome {
    return this.run(process.execPath, ['--require', '@swc-node/register', file, ...args]);
  }

  /** The tracked files with code that the main tsconfig.json checks. */
  get sources(): string[] {
    const files = this.run('git', ['ls-files', 'src', 'migrations', 'dev', 'test', 'bench']).output.trim().split('\n');
    return files.filter((file) => file.endsWith('.ts') && !/^test\/(client|browser)\//.test(file));
  }

  textOf(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** The files that differ from those that were copied or last kept. */
  get changes(): string[] {
    const names = (args: string[]) => this.run('git', args).output.trim().split('\n').filter(Boolean);
    return [...names(['diff', '--name-only']), ...names(['ls-files', '--others', '--exclude-standard'])].sort();
  }

  keep(): void {
    this.run('git', ['add', '--all']);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
