import { execFileSync } from 'node:child_process';
import { ChangeSet } from './change-set';
import { readCommandLine, type CommandLine, type MakeOptions } from './command-line';
import { ExistingModule } from './existing-module';
import { formatSource } from './format-source';
import { makeCommand } from './make-command';
import { readFields } from './make-fields';
import { makeJob } from './make-job';
import { makeMail } from './make-mail';
import { makeNotification } from './make-notification';
import { makeModule, nextSteps } from './make-module';
import { makeQuery } from './make-query';
import { readNoun } from './module-name-check';
import { refuse } from './make-refusal';

/** What a kind of the generator makes. */
interface Kind {
  readonly usage: string;
  /** Collects the changes. @returns what to look at next */
  readonly make: (root: string, changes: ChangeSet, line: CommandLine) => readonly string[];
  /** The scripts of package.json that follow, and the files that they write. */
  readonly scripts: readonly string[];
  readonly generated: readonly string[];
}

const ON_WINDOWS = process.platform === 'win32';
const CLIENT = ['client/openapi.json', 'client/src/schema.ts'];

const KINDS: Record<string, Kind> = {
  module: {
    usage: 'shipments title:text amount:integer? due:moment? [--singular shipment] [--limit 3]',
    make: (root, changes, { names: [plural, ...fields], options: { singular, limit } }) => {
      const made = { noun: readNoun(plural, singular), fields: readFields(fields), limit };
      makeModule(root, changes, made, Date.now());
      return nextSteps(made);
    },
    scripts: ['client:types', 'erd'],
    generated: [...CLIENT, 'docs/erd.md'],
  },
  command: inModule('approve-shipment', makeCommand, ['client:types'], CLIENT),
  query: inModule('list-overdue-shipments', makeQuery, ['client:types'], CLIENT),
  job: inModule('remind-shipments --cron "13 6 * * *"', (module, changes, name, { cron }) =>
    makeJob(module, changes, name, cron),
  ),
  mail: inModule('shipment-due', makeMail),
  notification: inModule('shipment-approved', makeNotification, ['client:types'], CLIENT),
};

type MakeInModule = (module: ExistingModule, changes: ChangeSet, name: string, options: MakeOptions) => string[];

/** A kind that is made in a module. */
function inModule(
  example: string,
  make: MakeInModule,
  scripts: Kind['scripts'] = [],
  generated: Kind['generated'] = [],
): Kind {
  return {
    usage: `shipments ${example} [--singular shipment]`,
    make: (root, changes, { names: [moduleName, name = ''], options }) =>
      make(new ExistingModule(root, changes, moduleName, options.singular), changes, name, options),
    scripts,
    generated,
  };
}

/**
 * Writes sources and edits the lists they belong to.
 * @param root the repository; the scripts that follow run in the current folder
 * @param call a kind and its arguments: `module`, `shipments`, `title:text`
 * @returns what it did, as text
 * @throws a Refusal before anything is written
 */
export async function make(root: string, [kindName, ...args]: readonly string[]): Promise<string> {
  const kind = KINDS[kindName];
  const changes = new ChangeSet(root);
  const line = readCommandLine(args);
  if (line.names.length === 0) refuse(`Usage: npm run make:${kindName} -- ${kind.usage} [--skip-scripts] [--dry-run]`);
  const next = kind.make(root, changes, line);
  await changes.format(formatSource);
  const { isDryRun, skipsScripts } = line.options;
  const scripts = skipsScripts ? [] : kind.scripts;
  if (!isDryRun) await changes.write(kind.generated, () => scripts.forEach(runScript));
  const left = skipsScripts ? kind.scripts.map((script) => `npm run ${script}`) : [];
  return report(changes, skipsScripts ? [] : kind.generated, [...left, ...next], isDryRun);
}

function runScript(script: string): void {
  execFileSync('npm', ['run', '--silent', script], { stdio: ['ignore', 'ignore', 'inherit'], shell: ON_WINDOWS });
}

function report(changes: ChangeSet, generated: readonly string[], next: readonly string[], isDryRun: boolean): string {
  const lines = (text: string) => text.split('\n').length - 1;
  const list = (isNew: boolean) =>
    changes.changes
      .filter((change) => change.isNew === isNew)
      .map(({ path, text, before }) => `  ${path} (+${lines(text) - lines(before)})`);
  const parts = [
    [isDryRun ? 'Would create' : 'Created', list(true)],
    [isDryRun ? 'Would edit' : 'Edited', list(false)],
    [isDryRun ? 'Would generate' : 'Generated', generated.map((path) => `  ${path}`)],
    ['Next', ['git add --all, because the checks read what Git tracks', ...next].map((step) => `  ${step}`)],
  ] as const;
  const shown = parts.filter(([, entries]) => entries.length > 0);
  return shown.map(([title, entries]) => `${title}:\n${entries.join('\n')}\n`).join('');
}
