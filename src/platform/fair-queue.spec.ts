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

describe('a fair queue', () => {
  it('serves the lanes in turn, whatever their lengths', async () => {
    const { add, endAll, begun } = sample(100);
    for (let i = 0; i < 50; i++) add(`a${i}`);
    add('b0');
    add('c0');
    add('b1');
    await endAll();
    expect(begun.slice(0, 7)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
    expect(begun).toHaveLength(53);
  });

  it('drops from the longest lane when full', async () => {
    const { add, endAll, begun, refused } = sample(3);
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0']) add(name);
    await endAll();
    expect(refused.sort()).toEqual(['a3', 'a4', 'b1', 'a2'].sort());
    expect(begun).toEqual(['a0', 'a1', 'b0', 'c0']);
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

  it('continues after an error', async () => {
    const queue = new FairQueue(1, 1);
    await expect(queue.run({ key: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run({ key: 'a' }, () => Promise.resolve(7))).toBe(7);
  });
});
