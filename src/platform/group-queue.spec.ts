import { GroupQueue, type GroupLimits } from './group-queue';

/** A queue of texts, whose first letter is the key, and the groups that it has begun to process. */
function queueOf(limits: GroupLimits = { groups: 1, items: 2, waiting: 3 }) {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const queue = new GroupQueue<string>(
    limits,
    ([letter]) => letter,
    (group) => {
      begun.push([...group]);
      return new Promise((resolve) => ends.push(resolve));
    },
  );
  const end = async (group: number) => {
    ends[group]();
    await new Promise(setImmediate);
  };
  return { queue, begun, end };
}

describe('A queue of groups', () => {
  it('processes an item that arrives alone at once', () => {
    const { queue, begun } = queueOf();
    expect(queue.add('a')).toBe(true);
    expect(begun).toEqual([['a']]);
  });

  it('processes items that arrive meanwhile together, at most as many as a group takes', async () => {
    const { queue, begun, end } = queueOf();
    for (const item of ['a', 'b', 'c', 'd']) queue.add(item);
    expect(begun).toEqual([['a']]);
    await end(0);
    expect(begun).toEqual([['a'], ['b', 'c']]);
    await end(1);
    expect(begun).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('processes several groups at the same time', () => {
    const { queue, begun } = queueOf({ groups: 2, items: 2, waiting: 3 });
    for (const item of ['a', 'b', 'c']) queue.add(item);
    expect(begun).toEqual([['a'], ['b']]);
  });

  it('never processes two items of one key at the same time', async () => {
    const { queue, begun, end } = queueOf({ groups: 2, items: 3, waiting: 9 });
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item);
    expect(begun).toEqual([['a1'], ['b1']]);
    await end(1);
    expect(begun).toEqual([['a1'], ['b1']]);
    await end(0);
    expect(begun).toEqual([['a1'], ['b1'], ['a2']]);
    await end(2);
    expect(begun).toEqual([['a1'], ['b1'], ['a2'], ['a3']]);
  });

  it('refuses an item if too many wait, and returns those that wait', async () => {
    const { queue, begun, end } = queueOf();
    expect(['a', 'b', 'c', 'd', 'e'].map((item) => queue.add(item))).toEqual([true, true, true, true, false]);
    expect(queue.removeWaiting()).toEqual(['b', 'c', 'd']);
    await end(0);
    expect(begun).toEqual([['a']]);
  });

  it('starts no others if a group may take any time', () => {
    jest.useFakeTimers();
    try {
      const { queue, begun } = queueOf();
      for (const item of ['a', 'b']) queue.add(item);
      jest.advanceTimersByTime(60_000);
      expect(begun).toEqual([['a']]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('starts others while a group takes longer than it may, and only then', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { queue, begun, end } = queueOf({ groups: 1, items: 2, waiting: 9, longestMs: 100 });
      for (const item of ['a1', 'a2', 'b', 'c', 'd']) queue.add(item);
      jest.advanceTimersByTime(99);
      expect(begun).toEqual([['a1']]);
      jest.advanceTimersByTime(1);
      expect(begun).toEqual([['a1'], ['b', 'c']]); // the second item of the slow one's key waits
      await end(0); // it no longer counts, so that its end starts nothing more
      expect(begun).toEqual([['a1'], ['b', 'c']]);
      await end(1);
      expect(begun).toEqual([['a1'], ['b', 'c'], ['a2', 'd']]);
    } finally {
      jest.useRealTimers();
    }
  });
});
