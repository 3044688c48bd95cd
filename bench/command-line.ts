import { parseArgs } from 'node:util';

/** What one run can measure. The names are arguments of `npm run bench`. */
export const REQUESTS = ['live', 'me', 'refresh', 'login', 'profile', 'members', 'latency'] as const;
export const SECTIONS = [
  'traffic',
  'deliveries',
  'bodies',
  'guard',
  'writes',
  'keys',
  'prices',
  'sync',
  'webhooks',
  'operators',
  'panel',
] as const;
/** Measured only if they are named, or by `all`. */
export const PROGRAMS = ['peers', 'ladder', 'neighbor', 'mixed'] as const;

export type RequestName = (typeof REQUESTS)[number];
export type SectionName = (typeof SECTIONS)[number];
export type ProgramName = (typeof PROGRAMS)[number];

/** What to measure, and how long. */
export interface BenchOptions {
  readonly requests: readonly RequestName[];
  readonly sections: readonly SectionName[];
  readonly programs: readonly ProgramName[];
  readonly isQuick: boolean;
  /** Whether all requests and sections are measured in full: then no stored result is kept. */
  readonly isWhole: boolean;
  readonly rounds: number;
  /** Seconds that one side is measured for in a round. */
  readonly seconds: number;
  /** The figures are those of a warm server, whose code is compiled. */
  readonly warmUpSeconds: number;
  /** Numbers of users of the ladder, in ascending order. */
  readonly rungs: readonly number[];
  /** The length of the mixed load. */
  readonly minutes: number;
}

/** `npm run bench -- --rungs 1e4,1e6`, `--minutes 30` */
const FLAGS = { rungs: { type: 'string' }, minutes: { type: 'string' } } as const;
const RUNGS = '1e4,1e5,1e6';
const MINUTES = '30';

/**
 * Reads the arguments: names of what to measure, and `quick` for short rounds. Without names, all
 * requests and sections are measured, with `quick` without what needs a million users.
 * @throws for an unknown argument
 */
export function readOptions(given: readonly string[]): BenchOptions {
  const { positionals, values } = parseArgs({ args: [...given], options: FLAGS, allowPositionals: true });
  const names = positionals.filter((name) => name !== 'quick' && name !== 'all');
  const known: readonly string[] = [...REQUESTS, ...SECTIONS, ...PROGRAMS];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${[...known, 'all', 'quick'].join(', ')}.`);
  const isAll = positionals.includes('all');
  const isQuick = positionals.includes('quick');
  const isUnnamed = isAll || names.length === 0;
  const isLong = (name: SectionName) => name === 'operators' || name === 'panel';
  return {
    requests: REQUESTS.filter((name) => isUnnamed || names.includes(name)),
    sections: SECTIONS.filter((name) => (isUnnamed ? !(isQuick && isLong(name)) : names.includes(name))),
    programs: PROGRAMS.filter((name) => isAll || names.includes(name)),
    isQuick,
    isWhole: isUnnamed && !isQuick,
    rounds: 5,
    seconds: isQuick ? 2 : 5,
    warmUpSeconds: isQuick ? 3 : 8,
    rungs: (values.rungs ?? RUNGS).split(',').map(numberOf),
    minutes: numberOf(values.minutes ?? MINUTES),
  };
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is not a positive number.`);
  return number;
}
