import { FairQueue } from './fair-queue';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose work ends one by one, with the order in which it was started. */
function sample(maxWaiting: number) {
  const queue = new FairQueue(1, maxWaiting);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  const add = (name: string, isReserved = false) => {
    const work = () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.push(() => resolve(name));
      });
    void queue.run({ key: name[0], isReserved }, work).then((outcome) => outcome ?? refused.push(name));
  };
  const endAll = async () => {
    for (await settle(); ends.length > 0; await settle()) ends.shift()!();
  };
  return { add, endAll, begun, refused };
}

/** A queue whose work ends one by one, with names that say nothing of the lane. */
function ordered(maxWaiting: number) {
  const queue = new FairQueue(1, maxWaiting);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.push(() => resolve(name));
    });
  const endAll = async () => {
    for (await settle(); ends.length > 0; await settle()) ends.shift()!();
  };
  return { queue, begun, work, endAll };
}

describe('a fair queue', () => {
  it('serves the lanes in turn, whatever their lengths, and new clients in between', async () => {
    const { add, endAll, begun } = sample(100);
    for (let i = 0; i < 50; i++) add(`a${i}`);
    add('b0');
    add('c0');
    add('b1');
    await endAll();
    expect(begun.slice(0, 7)).toEqual(['a0', 'b0', 'a1', 'b1', 'c0', 'a2', 'a3']);
    expect(begun).toHaveLength(53);
  });

  it('drops from the longest lane when full', async () => {
    const { add, endAll, begun, refused } = sample(6);
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b0', 'b1', 'c0', 'b2']) add(name);
    await endAll();
    expect(refused.sort()).toEqual(['a3', 'a4', 'a5']);
    expect([...begun].sort()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'c0']);
  });

  it('serves reserved lanes every second time', async () => {
    const { add, endAll, begun, refused } = sample(2);
    for (const name of ['a0', 'a1', 'a2', 'a3']) add(name);
    add('k0', true);
    add('k1', true);
    await endAll();
    expect(refused).toEqual(['a3']);
    expect(begun).toEqual(['a0', 'k0', 'a1', 'k1', 'a2']);
  });

  it('drops a random request if all lanes are equally long, and not always that of the newcomer', async () => {
    const all: number[] = [];
    for (let round = 0; round < 40; round++) {
      const { add, endAll, begun } = sample(9);
      for (const name of 'abcdefghij') add(`${name}0`); // one runs, 3 new ones and 6 others wait
      for (const name of 'klm') add(`${name}0`);
      await endAll();
      all.push(['k0', 'l0', 'm0'].filter((name) => begun.includes(name)).length);
      expect(begun).toHaveLength(10);
    }
    expect(Math.max(...all)).toBeGreaterThan(0);
  });

  it('serves a newcomer among many others of one network, of which each address has its turn', async () => {
    const { queue, begun, work, endAll } = ordered(9);
    const join = (name: string, key: string, within?: string) => {
      void queue.run({ key, within }, work(name));
    };
    for (let i = 0; i < 30; i++) join(`a${i}`, 'network', `address ${i}`);
    join('b', 'other');
    join('c', 'network', 'address 1');
    await endAll();
    expect(begun.indexOf('b')).toBeLessThan(4);
    expect(begun).toHaveLength(8);
  });

  it('keeps a part for clients that were not seen in the last minute', async () => {
    const { queue, begun, work, endAll } = ordered(9);
    const join = (name: string, key: string) => {
      void queue.run({ key }, work(name));
    };
    const known = Array.from({ length: 200 }, (_, i) => `proxy ${i}`);
    for (const key of known) join('first', key);
    await endAll();
    begun.length = 0;
    for (const key of known) join('again', key);
    join('new', 'a person');
    for (const key of known) join('again', key);
    await endAll();
    expect(begun.indexOf('new')).toBeGreaterThan(-1);
    expect(begun.indexOf('new')).toBeLessThan(5);
  });

  it('continues after an error', async () => {
    const queue = new FairQueue(1, 1);
    await expect(queue.run({ key: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run({ key: 'a' }, () => Promise.resolve(7))).toBe(7);
  });
});
