import { findLeak } from './memory-check';

const MB = 2 ** 20;

describe('The verdict about memory', () => {
  /** A run of 30,000 requests, looked at ten times. */
  const run = (heldAt: (sent: number) => number) =>
    Array.from({ length: 11 }, (_, n) => ({ sent: n * 3_000, held: heldAt(n * 3_000), rss: 0 }));

  it('finds what grows with the number of requests', () => {
    expect(findLeak(run((sent) => 60 * MB + sent * 1_000))).toBe(
      'The service holds 17.2 MB more after 18000 requests (71.4, then 88.6).',
    );
  });

  it('lets a warm-up pass, however much it takes, and what comes and goes', () => {
    expect(findLeak(run((sent) => 60 * MB + Math.min(sent, 10_000) * 20_000))).toBeUndefined();
    expect(findLeak(run((sent) => 60 * MB + (sent % 9_000) * 1_000))).toBeUndefined();
    expect(findLeak([{ sent: 100, held: 60 * MB, rss: 0 }])).toBeUndefined();
  });
});
