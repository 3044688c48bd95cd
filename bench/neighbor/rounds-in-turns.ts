import type { Round } from '../interleaved-rounds';
import { percentile } from '../statistics';

/**
 * A round in which the sides take turns, every other time in the opposite order. The requests of a
 * turn arrive at the same times on all sides.
 * @param sides return latencies for a seed of the times
 * @returns the p99 of each side
 */
export function inTurns<Name extends string>(
  sides: Readonly<Record<Name, (seed: number) => Promise<number[]>>>,
  turns: number,
): Round<Name> {
  const names = Object.keys(sides) as Name[];
  let seed = 0;
  return async () => {
    const latencies = new Map(names.map((name) => [name, [] as number[]]));
    for (const end = seed + turns; seed < end; seed++)
      for (const name of seed % 2 === 0 ? names : names.toReversed())
        latencies.get(name)!.push(...(await sides[name](seed)));
    return Object.fromEntries(names.map((name) => [name, percentile(latencies.get(name)!, 99)])) as Record<
      Name,
      number
    >;
  };
}
