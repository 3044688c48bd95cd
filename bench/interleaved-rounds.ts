import { DISTURBED_ABOVE, observe, type Observed } from './machine-load';
import { median, spreadOf, type Spread } from './statistics';

/** How many disturbed rounds of a comparison are repeated, in total. */
const REPEATS = 5;

/** How rounds are run and shown. */
export interface RoundOptions {
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** Measures one side of a comparison once: requests per second, or milliseconds. */
export type Side = () => Promise<number>;

/** The figures of all rounds. */
export class Rounds<Name extends string> {
  constructor(
    readonly figures: readonly Readonly<Record<Name, number>>[],
    /** Rounds whose calmest attempt was disturbed. */
    readonly disturbed: number,
  ) {}

  median(side: Name): number {
    return median(this.figures.map((round) => round[side]));
  }

  /** Of each round one ratio, so that what slows a whole round down does not count. */
  ratio(side: Name, other: Name): Spread {
    return spreadOf(this.figures.map((round) => round[side] / round[other]));
  }
}

/**
 * Measures all sides one after the other in every round. A round in which the machine was disturbed
 * is repeated while repeats are left; its calmest attempt counts.
 * @param what the work, for the progress that is shown
 */
export async function interleave<Name extends string>(
  what: string,
  sides: Readonly<Record<Name, Side>>,
  { rounds, say }: RoundOptions,
): Promise<Rounds<Name>> {
  const calmest: Observed<Record<Name, number>>[] = [];
  let repeats = REPEATS;
  for (let round = 0; round < rounds; round++) {
    for (;;) {
      const attempt = await observe(() => measureAll(sides));
      if (attempt.foreign < (calmest[round]?.foreign ?? Infinity)) calmest[round] = attempt;
      const isRepeated = isDisturbed(attempt) && repeats > 0;
      say(`  ${what}, round ${round + 1}: ${shown(attempt)}${isRepeated ? ', repeated' : ''}`);
      if (!isRepeated) break;
      repeats--;
    }
  }
  return new Rounds(
    calmest.map(({ result }) => result),
    calmest.filter(isDisturbed).length,
  );
}

const isDisturbed = ({ foreign }: Observed<unknown>) => foreign > DISTURBED_ABOVE;

async function measureAll<Name extends string>(sides: Readonly<Record<Name, Side>>): Promise<Record<Name, number>> {
  const figures: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(sides) as Name[]) figures[name] = await sides[name]();
  return figures as Record<Name, number>;
}

function shown(attempt: Observed<Readonly<Record<string, number>>>): string {
  const figures = Object.entries(attempt.result).map(([name, n]) => `${name} ${n.toFixed(n < 100 ? 2 : 0)}`);
  const note = `, other work took ${(attempt.foreign * 100).toFixed(0)} % of the CPU time`;
  return figures.join('  ') + (isDisturbed(attempt) ? note : '');
}
