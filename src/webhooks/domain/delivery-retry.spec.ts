import { DAY, HOUR, MINUTE } from '../../platform/clock';
import { MOST_ATTEMPTS, pauseAfter, secondsOfRetryAfter } from './delivery-retry';

const NOW = new Date('2026-01-31T09:30:00.000Z');

describe('the schedule of deliveries', () => {
  const total = (random: number) =>
    Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => pauseAfter(index + 1, undefined, random)!).reduce(
      (sum, pause) => sum + pause,
    );

  it('has ten attempts within about three days', () => {
    expect(MOST_ATTEMPTS).toBe(10);
    expect(total(0.5)).toBe(5 + 35 * MINUTE + 75 * HOUR);
    expect(pauseAfter(10, undefined, 0.5)).toBeUndefined();
    expect(pauseAfter(10, 60, 0.5)).toBeUndefined();
  });

  it.each([
    [0, 4],
    [0.5, 5],
    [1, 6],
  ])('has pauses that differ by a fifth at most: %d', (random, expected) =>
    expect(pauseAfter(1, undefined, random)).toBeCloseTo(expected),
  );

  it.each([
    [60, 60],
    [1, 5],
    [undefined, 5],
    [3 * DAY, DAY],
  ])('waits as long as the receiver asks for, at most a day: %d', (retryAfter, expected) =>
    expect(pauseAfter(1, retryAfter, 0.5)).toBe(expected),
  );
});

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    ['0', 0],
    ['Sat, 31 Jan 2026 09:31:00 GMT', 60],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
    ['soon', undefined],
    ['-5x', undefined],
    [undefined, undefined],
  ])('%s: %d', (header, expected) => expect(secondsOfRetryAfter(header, NOW)).toBe(expected));
});
