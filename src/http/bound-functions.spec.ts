import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { bindWithoutProperty } from './bound-functions';

describe('a function that is bound to its asynchronous context', () => {
  const bindOfNode = AsyncResource.bind;
  afterEach(() => {
    AsyncResource.bind = bindOfNode;
  });
  const storage = new AsyncLocalStorage<string>();

  it('has no property that is costly to define', () => {
    bindWithoutProperty();
    expect(
      Object.hasOwn(
        AsyncResource.bind(() => undefined),
        'asyncResource',
      ),
    ).toBe(false);
  });

  it('runs in the context in which it was bound', () => {
    bindWithoutProperty();
    const bound = storage.run('first', () => AsyncResource.bind(() => storage.getStore()));
    expect(storage.run('second', bound)).toBe('first');
    expect(storage.getStore()).toBeUndefined();
  });

  it('passes arguments, result, receiver and exceptions, and keeps its number of parameters', () => {
    bindWithoutProperty();
    const sum = AsyncResource.bind((a: number, b: number) => a + b);
    expect([sum(1, 2), sum.length]).toEqual([3, 2]);
    const named = { name: 'Ada', get: AsyncResource.bind(nameOf) };
    expect(named.get()).toBe('Ada');
    expect(AsyncResource.bind(nameOf, 'lookup', { name: 'Grace' })()).toBe('Grace');
    const thrown = new Error('refused');
    expect(
      AsyncResource.bind(() => {
        throw thrown;
      }),
    ).toThrow(thrown);
  });
});

function nameOf(this: unknown): unknown {
  return (this as { name: string }).name;
}
