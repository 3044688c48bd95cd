import { parseArgs } from 'node:util';
import { refuse } from './make-refusal';

/** The options that every kind understands. */
export interface MakeOptions {
  readonly singular?: string;
  readonly limit?: number;
  readonly cron?: string;
  readonly isDryRun: boolean;
  /** Leaves the scripts that follow to the developer, who makes several things in a row. */
  readonly skipsScripts: boolean;
}

/** The arguments of a call. */
export interface CommandLine {
  readonly names: readonly string[];
  readonly options: MakeOptions;
}

/** @throws a Refusal for an unknown option, and for a limit that is no whole number */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { positionals, values } = parsed(args);
  const { limit, singular, cron } = values;
  if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit)) refuse('The limit must be a whole number above 0.');
  return {
    names: positionals,
    options: {
      singular,
      cron,
      isDryRun: values['dry-run'] === true,
      skipsScripts: values['skip-scripts'] === true,
      limit: limit === undefined ? undefined : Number(limit),
    },
  };
}

function parsed(args: readonly string[]) {
  const options = {
    singular: { type: 'string' },
    limit: { type: 'string' },
    cron: { type: 'string' },
    'dry-run': { type: 'boolean' },
    'skip-scripts': { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return refuse((error as Error).message);
  }
}
