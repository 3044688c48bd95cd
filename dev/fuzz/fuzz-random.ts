import { SeededRandom } from '../stripe/seeded-random';

/** The random generator of a run. The same seed gives the same requests. */
export class FuzzRandom extends SeededRandom {
  /** An integer from 0 up to, but not including, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A random element of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** A random id, which no row has. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/**
 * Derives the seed of a part of a run, so that the part can be repeated alone.
 */
export function seedOf(seed: number, part: string): number {
  let mixed = seed;
  for (const character of part) mixed = (Math.imul(mixed, 31) + character.codePointAt(0)!) >>> 0;
  return mixed;
}
