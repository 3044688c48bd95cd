import { DISTURBED_ABOVE, observe, type Observed } from './machine-load';
import { median, spreadOf, type Spread } from './statistics';

/** How many disturbed rounds of a comparison are repeated, in total. */
const REPEATS = 5;

/** How rounds are run and shown. */
export interface RoundOptions {
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/**
 * Measures one side of a comparison once: requests per second, or milliseconds.
 * @param attempt the number of the round, repeated ones included
 */
export type Side = (attempt: number) => Promise<number>;

/** Measures all sides together. */
export type Round<Name extends string> = () => Promise<Readonly<Record<Name, number>>>;

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
 * Measures all sides in every round: one after the other, or as the round itself does. A round in
 * which the machine was disturbed is repeated while repeats are left, and so is one in which a
 * server answered nothing; its calmest attempt counts.
 * @param what the work, for the progress that is shown
 * @throws when a server answered nothing in all attempts at a round
 */
export async function interleave<Name extends string>(
  what: string,
  sides: Readonly<Record<Name, Side>> | Round<Name>,
  { rounds, say }: RoundOptions,
): Promise<Rounds<Name>> {
  let attempts = 0;
  const measure: Round<Name> = typeof sides === 'function' ? sides : () => measureAll(sides, ++attempts);
  const calmest: Observed<Readonly<Record<Name, number>>>[] = [];
  let repeats = REPEATS;
  for (let round = 0; round < rounds; round++) {
    for (;;) {
      const attempt = await observe(measure);
      if (!calmest[round] || disturbanceOf(attempt) < disturbanceOf(calmest[round])) calmest[round] = attempt;
      const isRepeated = isDisturbed(attempt) && repeats > 0;
      say(`  ${what}, round ${round + 1}: ${shown(attempt)}${isRepeated ? ', repeated' : ''}`);
      if (!isRepeated) break;
      repeats--;
    }
    if (!isMeasured(calmest[round])) throw new Error(`${what}: a server answered no request in a round.`);
  }
  return new Rounds(
    calmest.map(({ result }) => result),
    calmest.filter(isDisturbed).length,
  );
}

type Attempt = Observed<Readonly<Record<string, number>>>;

/** Without answers of one side there is no ratio. */
const isMeasured = ({ result }: Attempt) => Object.values(result).every((figure) => figure > 0);
/** How bad an attempt is: the share of other work, or infinite. */
const disturbanceOf = (attempt: Attempt) => (isMeasured(attempt) ? attempt.foreign : Infinity);
const isDisturbed = (attempt: Attempt) => disturbanceOf(attempt) > DISTURBED_ABOVE;

async function measureAll<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  attempt: number,
): Promise<Record<Name, number>> {
  const figures: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(sides) as Name[]) figures[name] = await sides[name](attempt);
  return figures as Record<Name, number>;
}

function shown(attempt: Attempt): string {
  const figures = Object.entries(attempt.result).map(([name, n]) => `${name} ${n.toFixed(n < 100 ? 2 : 0)}`);
  const note = `, other work took ${(attempt.foreign * 100).toFixed(0)} % of the CPU time`;
  return figures.join('  ') + (isDisturbed(attempt) ? note : '');
}
