import { execFileSync } from 'node:child_process';
import { ChangeSet } from './change-set';
import { readCommandLine, type CommandLine } from './command-line';
import { formatSource } from './format-source';
import { readFields } from './make-fields';
import { makeModule, nextSteps } from './make-module';
import { readNoun } from './module-name-check';
import { Refusal, refuse } from './make-refusal';

/** What a kind of the generator makes. */
interface Kind {
  readonly usage: string;
  /** Collects the changes. @returns what to look at next */
  readonly make: (root: string, changes: ChangeSet, line: CommandLine) => readonly string[];
  /** What runs afterwards, and the files that it writes. */
  readonly scripts: readonly (readonly string[])[];
  readonly generated: readonly string[];
}

const CLIENT = ['client/openapi.json', 'client/src/schema.ts'];
const CLIENT_TYPES = ['dev/client-types.mjs'];
const ERD = ['--require', '@swc-node/register', 'dev/erd/main.ts'];

const KINDS: Record<string, Kind> = {
  module: {
    usage: 'npm run make:module -- invoices name:text amount:integer? due:moment? [--singular invoice] [--limit 3]',
    make: (root, changes, { names: [plural, ...fields], options: { singular, limit } }) => {
      const made = { noun: readNoun(plural, singular), fields: readFields(fields), limit };
      makeModule(root, changes, made, Date.now());
      return nextSteps(made);
    },
    scripts: [CLIENT_TYPES, ERD],
    generated: [...CLIENT, 'docs/erd.md'],
  },
};

/** `npm run make:<kind>`: writes sources, edits the lists they belong to, and says what it did. */
async function main([kindName, ...args]: string[]): Promise<void> {
  const kind = KINDS[kindName];
  const root = process.cwd();
  const changes = new ChangeSet(root);
  const line = readCommandLine(args);
  if (line.names.length === 0) refuse(`Usage: ${kind.usage} [--dry-run]`);
  const next = kind.make(root, changes, line);
  await changes.format(formatSource);
  if (!line.options.isDryRun) await changes.write(kind.generated, () => kind.scripts.forEach(runScript));
  print(changes, kind, next, line.options.isDryRun);
}

function runScript(script: readonly string[]): void {
  execFileSync(process.execPath, script, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function print(changes: ChangeSet, kind: Kind, next: readonly string[], isDryRun: boolean): void {
  const lines = (text: string) => text.split('\n').length - 1;
  const list = (isNew: boolean) =>
    changes.changes
      .filter((change) => change.isNew === isNew)
      .map(({ path, text, before }) => `  ${path} (+${lines(text) - lines(before)})`);
  const parts = [
    [isDryRun ? 'Would create' : 'Created', list(true)],
    [isDryRun ? 'Would edit' : 'Edited', list(false)],
    [isDryRun ? 'Would generate' : 'Generated', kind.generated.map((path) => `  ${path}`)],
    ['Next', next.map((step) => `  ${step}`)],
  ] as const;
  const shown = parts.filter(([, entries]) => entries.length > 0);
  process.stdout.write(shown.map(([title, entries]) => `${title}:\n${entries.join('\n')}\n`).join(''));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(error instanceof Refusal ? `${error.message}\nNothing was changed.\n` : `${String(error)}\n`);
  process.exitCode = 1;
});
