import { withFreshLimit } from './fresh-limit';
import { err, failure, ok, type Failure } from './result';

const FULL = failure('FULL', 'conflict', 'It is full.');
const OTHER = failure('OTHER', 'conflict', 'Something else.');

describe('A limit that is remembered', () => {
  const work = (refused: (limit: number) => boolean, reason: Failure = FULL) => {
    const calls: number[] = [];
    const run = (limit: number) => {
      calls.push(limit);
      return Promise.resolve(refused(limit) ? err(reason) : ok(limit));
    };
    return { calls, run };
  };

  it('is not read again for what it allows', async () => {
    const { calls, run } = work(() => false);
    const limitOf = jest.fn((isFresh: boolean) => Promise.resolve(isFresh ? 50 : 10));
    expect(await withFreshLimit('FULL', limitOf, run)).toEqual(ok(10));
    expect([calls, limitOf.mock.calls]).toEqual([[10], [[false]]]);
  });

  it.each<[string, number, number[]]>([
    ['runs the work again if it has changed', 50, [10, 50]],
    ['runs it once if it has not changed', 10, [10]],
  ])('is read again before it refuses, and %s', async (_what, fresh, expected) => {
    const { calls, run } = work((limit) => limit === 10);
    const result = await withFreshLimit('FULL', (isFresh) => Promise.resolve(isFresh ? fresh : 10), run);
    expect([calls, result.ok]).toEqual([expected, fresh === 50]);
  });

  it('is not read again after another refusal', async () => {
    const { calls, run } = work(() => true, OTHER);
    expect(await withFreshLimit('FULL', () => Promise.resolve(10), run)).toEqual(err(OTHER));
    expect(calls).toEqual([10]);
  });
});
