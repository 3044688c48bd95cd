import { randomInt } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The random generator of the stand-in. The same seed gives the same ids and the same chaos.
 */
export class SeededRandom {
  /** Position in the sequence. It is saved, since a restart would otherwise repeat ids. */
  position: number;

  constructor(seed: number = randomInt(2 ** 31)) {
    this.position = seed >>> 0;
  }

  /** @returns a number from 0 up to, but not including, 1 (mulberry32) */
  next(): number {
    this.position = (this.position + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.position ^ (this.position >>> 15), this.position | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  id(prefix: string, length = 16): string {
    const letters = Array.from({ length }, () => LETTERS[Math.floor(this.next() * LETTERS.length)]);
    return `${prefix}_${letters.join('')}`;
  }
}
