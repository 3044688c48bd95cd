/** What one run can measure. The names are arguments of `npm run bench`. */
export const REQUESTS = ['live', 'me', 'refresh', 'login', 'profile', 'members', 'latency'] as const;
export const SECTIONS = ['traffic', 'deliveries', 'bodies', 'guard', 'sync', 'operators', 'panel'] as const;

export type RequestName = (typeof REQUESTS)[number];
export type SectionName = (typeof SECTIONS)[number];

/** What to measure, and how long. */
export interface BenchOptions {
  readonly requests: readonly RequestName[];
  readonly sections: readonly SectionName[];
  readonly isQuick: boolean;
  /** Whether all requests and sections are measured in full: then the results are written. */
  readonly isWhole: boolean;
  readonly rounds: number;
  /** Seconds that one side is measured for in a round. */
  readonly seconds: number;
  /** The figures are those of a warm server, whose code is compiled. */
  readonly warmUpSeconds: number;
}

/**
 * Reads the arguments: names of requests and sections, and `quick` for short rounds. Without names,
 * everything is measured, with `quick` without what needs a million users.
 * @throws for an unknown argument
 */
export function readOptions(given: readonly string[]): BenchOptions {
  const names = given.filter((name) => name !== 'quick');
  const unknown = names.find((name) => !isOneOf(REQUESTS, name) && !isOneOf(SECTIONS, name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not one of ${[...REQUESTS, ...SECTIONS, 'quick'].join(', ')}.`);
  const isQuick = given.includes('quick');
  const everything = names.length === 0;
  const isLong = (name: SectionName) => name === 'operators' || name === 'panel';
  return {
    requests: REQUESTS.filter((name) => everything || names.includes(name)),
    sections: SECTIONS.filter((name) => (everything ? !(isQuick && isLong(name)) : names.includes(name))),
    isQuick,
    isWhole: everything && !isQuick,
    rounds: 5,
    seconds: isQuick ? 2 : 5,
    warmUpSeconds: isQuick ? 3 : 8,
  };
}

const isOneOf = (names: readonly string[], name: string) => names.includes(name);
