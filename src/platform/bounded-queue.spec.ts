import { BoundedQueue } from './bounded-queue';

/** Work that ends when `end` is called. */
function work() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const begin = jest.fn(() => ended);
  return { begin, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a bounded queue', () => {
  it('runs and queues up to its limits and rejects the rest', async () => {
    const queue = new BoundedQueue(1, 2);
    const [first, second, third, fourth] = [work(), work(), work(), work()];
    void queue.run(first.begin);
    void queue.run(second.begin);
    void queue.run(third.begin);
    expect(await queue.run(fourth.begin)).toBeUndefined();
    expect([first, second, third, fourth].map(({ begin }) => begin.mock.calls.length)).toEqual([1, 0, 0, 0]);
    first.end();
    await settle();
    expect([second, third].map(({ begin }) => begin.mock.calls.length)).toEqual([1, 0]);
    second.end();
    await settle();
    expect(third.begin).toHaveBeenCalled();
  });

  it('continues after an error', async () => {
    const queue = new BoundedQueue(1, 1);
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(() => Promise.resolve(7))).toBe(7);
  });
});
