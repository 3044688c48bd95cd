import { chosen, optionsOf, WrongOption } from './options';
import type { Operation } from './operations';

describe('Options of the fuzzer', () => {
  it('are read, with defaults for those that are missing', () => {
    expect(optionsOf(['--seed', '7', '--requests', '40', '--operation', 'logIn'], 1)).toEqual({
      seed: 7,
      requests: 40,
      operation: 'logIn',
    });
    expect(optionsOf([], 1)).toEqual({ seed: 1, requests: 100, operation: undefined });
  });

  it.each([
    [['--requests', 'abc'], '--requests must be an integer of at least 1, not "abc".'],
    [['--requests', '0'], '--requests'],
    [['--requests', '1.5'], '--requests'],
    [['--requests', ''], '--requests'],
    [['--seed', 'x'], '--seed'],
    [['--seed', '-1'], '--seed'],
    [['--request', '6'], '--request'],
    [['6'], '6'],
  ])('are rejected: %j', (args, message) => {
    const read = () => optionsOf(args, 1);
    expect(read).toThrow(WrongOption);
    expect(read).toThrow(message);
  });

  it('reject an unknown operation', () => {
    const operations = [{ id: 'logIn' }, { id: 'logOut' }] as Operation[];
    expect(chosen(operations)).toEqual(operations);
    expect(chosen(operations, 'logOut')).toEqual([{ id: 'logOut' }]);
    expect(() => chosen(operations, 'typo')).toThrow(new WrongOption('The API document has no operation typo.'));
  });
});
