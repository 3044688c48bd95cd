import { findLeak } from './memory-check';

const MB = 2 ** 20;

describe('Finding a memory leak', () => {
  /** The samples of a run of 30,000 requests. */
  const run = (usedAt: (sent: number) => number) =>
    Array.from({ length: 11 }, (_, n) => ({ sent: n * 3_000, used: usedAt(n * 3_000), rss: 0 }));

  it('reports memory that grows with the number of requests', () => {
    expect(findLeak(run((sent) => 60 * MB + sent * 1_000))).toBe(
      'The service uses 17.2 MB more after 18000 requests (71.4, then 88.6).',
    );
  });

  it('ignores the warm-up and memory that is freed again', () => {
    expect(findLeak(run((sent) => 60 * MB + Math.min(sent, 10_000) * 20_000))).toBeUndefined();
    expect(findLeak(run((sent) => 60 * MB + (sent % 9_000) * 1_000))).toBeUndefined();
    expect(findLeak([{ sent: 100, used: 60 * MB, rss: 0 }])).toBeUndefined();
  });
});
