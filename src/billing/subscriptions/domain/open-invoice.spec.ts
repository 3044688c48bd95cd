import { leavesOpen, newestOf } from './open-invoice';

const of = (id: string | null, second: number) => ({ id, createdAt: new Date(second * 1000) });

describe('paying an invoice', () => {
  it.each([
    ['the one that is open', of('in_2', 2), of('in_2', 2), false],
    ['an older one', of('in_2', 2), of('in_1', 1), true],
    ['another one of the same second', of('in_2', 2), of('in_1', 2), true],
    ['a newer one', of('in_2', 2), of('in_3', 3), false],
    ['another, where it is not known when the open one was made', { id: 'in_2', createdAt: null }, of('in_3', 3), true],
    ['the open one, where it is not known when that was made', { id: 'in_2', createdAt: null }, of('in_2', 2), false],
    ['any, where none is known to be open', { id: null, createdAt: null }, of('in_1', 1), false],
  ])('%s', (_which, open, paid, expected) => expect(leavesOpen(open, paid)).toBe(expected));

  it('of two that failed the newer one is open, in whichever order they failed', () => {
    expect(newestOf(of('in_1', 1), of('in_2', 2)).id).toBe('in_2');
    expect(newestOf(of('in_2', 2), of('in_1', 1)).id).toBe('in_2');
  });
});
