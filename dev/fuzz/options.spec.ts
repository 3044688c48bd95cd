import { chosen, optionsOf, WrongOption } from './options';
import type { Operation } from './operations';

describe('The options of a fuzzing run', () => {
  it('are read, or what stands where they are left out', () => {
    expect(optionsOf(['--seed', '7', '--requests', '40', '--operation', 'logIn'], 1)).toEqual({
      seed: 7,
      requests: 40,
      operation: 'logIn',
    });
    expect(optionsOf([], 1)).toEqual({ seed: 1, requests: 100, operation: undefined });
  });

  it.each([
    [['--requests', 'abc'], '--requests must be a whole number from 1 on, not "abc".'],
    [['--requests', '0'], '--requests'],
    [['--requests', '1.5'], '--requests'],
    [['--requests', ''], '--requests'],
    [['--seed', 'x'], '--seed'],
    [['--seed', '-1'], '--seed'],
    [['--request', '6'], '--request'],
    [['6'], '6'],
  ])('are refused: %j', (args, message) => {
    const read = () => optionsOf(args, 1);
    expect(read).toThrow(WrongOption);
    expect(read).toThrow(message);
  });

  it('name an operation that there is', () => {
    const operations = [{ id: 'logIn' }, { id: 'logOut' }] as Operation[];
    expect(chosen(operations)).toEqual(operations);
    expect(chosen(operations, 'logOut')).toEqual([{ id: 'logOut' }]);
    expect(() => chosen(operations, 'typo')).toThrow(new WrongOption('The API document has no operation typo.'));
  });
});
