import type { Rounds } from './interleaved-rounds';
import type { Traffic } from './query-counter';
import type { Spread } from './statistics';

/** A limit, and whether the figure keeps to it. */
export interface Limit {
  readonly limit: string;
  readonly isMet: boolean;
}

/** One line of the table. */
export interface Figure extends Partial<Limit> {
  readonly work: string;
  readonly measured: string;
  /** What it is compared with; absent for a figure that is compared with its limit only. */
  readonly reference?: string;
  readonly ratio?: Pick<Spread, 'median'> & Partial<Spread>;
  /** Rounds in which the machine was disturbed. */
  readonly disturbed?: number;
  /** What the sides of the comparison do differently. */
  readonly difference?: string;
}

/** A table besides that of the figures. */
export interface TextTable {
  readonly title: string;
  /** Sentences that explain it. */
  readonly notes: readonly string[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const atLeast = (limit: number, figure: number): Limit => ({ limit: `≥ ${limit}`, isMet: figure >= limit });
export const atMost = (limit: number, figure: number, unit = ''): Limit => ({
  limit: `≤ ${limit}${unit}`,
  isMet: figure <= limit,
});

/** The line of a comparison of rates. @param least the least ratio; absent if there is no limit */
export function rateFigure<Name extends string>(
  work: string,
  rounds: Rounds<Name>,
  [side, other]: readonly [Name, Name],
  least?: number,
): Figure {
  const ratio = rounds.ratio(side, other);
  return {
    work,
    measured: `${rounds.median(side).toFixed(0)}/s`,
    reference: `${rounds.median(other).toFixed(0)}/s`,
    ratio,
    disturbed: rounds.disturbed,
    ...(least !== undefined && atLeast(least, ratio.median)),
  };
}

/** What a run has found. */
export class Report {
  readonly figures: Figure[] = [];
  /** The database traffic of requests, by their names. */
  readonly traffic: [request: string, Traffic][] = [];
  readonly tables: TextTable[] = [];

  add(figure: Figure): void {
    this.figures.push(figure);
  }

  get missed(): readonly Figure[] {
    return this.figures.filter(({ isMet }) => isMet === false);
  }
}
