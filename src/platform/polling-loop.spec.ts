import { PollingLoop } from './polling-loop';

describe('a polling loop', () => {
  let [looks, open, mostOpen] = [0, 0, 0];
  const look = async () => {
    looks += 1;
    mostOpen = Math.max(mostOpen, ++open);
    await Promise.resolve();
    open -= 1;
  };
  const loopThatLooks = () => new PollingLoop(look, unexpected);
  const soon = () => new Promise(setImmediate);
  beforeEach(() => {
    looks = 0;
  });

  it('looks once more if it is woken during a look, and never twice at once', async () => {
    const loop = loopThatLooks();
    await Promise.all([loop.wake(), loop.wake(), loop.wake()]);
    expect([looks, mostOpen]).toEqual([2, 1]);
  });

  it('looks again when work ends', async () => {
    loopThatLooks().run(Promise.resolve());
    await soon();
    expect(looks).toBe(1);
  });

  it('reports the first of several looks that fail, and one after a success again', async () => {
    const outcomes = [false, false, true, false];
    const reported: unknown[] = [];
    const loop = new PollingLoop(
      () => (outcomes.shift() ? Promise.resolve() : Promise.reject(new Error(`before ${outcomes.length} others`))),
      (error) => reported.push(error),
    );
    for (let time = 1; time <= 4; time++) await loop.wake();
    expect(reported).toEqual([new Error('before 3 others'), new Error('before 0 others')]);
  });

  it('waits for work when it stops, and then looks no more', async () => {
    const loop = loopThatLooks();
    let end: () => void = unexpected;
    loop.run(new Promise<void>((resolve) => (end = resolve)));
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await soon();
    expect(isStopped).toBe(false);
    end();
    await stopped;
    await loop.wake();
    expect(looks).toBe(0);
  });
});

function unexpected(): never {
  throw new Error('not expected');
}
