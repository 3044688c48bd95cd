import { SeededRandom } from '../stripe/seeded-random';

/** Everything random of a fuzzing run: with the same seed the same requests. */
export class FuzzRandom extends SeededRandom {
  /** A whole number from 0 up to, and without, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** One of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** An id that nothing has. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/**
 * A seed of its own for a part of a run, so that one part can be repeated without those before it.
 */
export function seedOf(seed: number, part: string): number {
  let mixed = seed;
  for (const character of part) mixed = (Math.imul(mixed, 31) + character.codePointAt(0)!) >>> 0;
  return mixed;
}
