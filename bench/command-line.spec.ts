import { PROGRAMS, readOptions, REQUESTS, SECTIONS } from './command-line';

describe('arguments of the bench', () => {
  it('mean all requests and sections, but no program, when there are none', () => {
    expect(readOptions([])).toMatchObject({ requests: REQUESTS, sections: SECTIONS, programs: [], isWhole: true });
  });

  it('limit the run to what they name', () => {
    expect(readOptions(['me'])).toMatchObject({ requests: ['me'], sections: [], programs: [], isWhole: false });
    expect(readOptions(['peers'])).toMatchObject({ requests: [], sections: [], programs: ['peers'] });
  });

  it('shorten the rounds and leave out what needs a million users', () => {
    const { sections, isWhole, seconds } = readOptions(['quick']);
    expect(sections).not.toContain('operators');
    expect({ isWhole, seconds }).toEqual({ isWhole: false, seconds: 2 });
  });

  it('measure everything with all', () => {
    expect(readOptions(['all'])).toMatchObject({ requests: REQUESTS, programs: PROGRAMS, isWhole: true });
  });

  it('set the rungs and the minutes', () => {
    expect(readOptions(['ladder', '--rungs', '1e4,1e7'])).toMatchObject({ rungs: [10_000, 10_000_000] });
    expect(readOptions(['mixed', '--minutes', '2'])).toMatchObject({ minutes: 2 });
  });

  it('are refused when they are unknown or no numbers', () => {
    expect(() => readOptions(['mee'])).toThrow('mee is not one of');
    expect(() => readOptions(['mixed', '--minutes', 'x'])).toThrow('x is not a positive number');
  });
});
