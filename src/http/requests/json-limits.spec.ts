import { exceedsLimits, loneSurrogateIn } from './json-limits';

const exceeds = (value: unknown) =>
  exceedsLimits(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i]));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the limits of a body', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing', {}, false],
    ['200 properties', names(200), false],
    ['201 properties', names(201), true],
    ['200 items and properties on two levels', { list: Array(99).fill(0), other: names(99) }, false],
    ['201 items and properties on two levels', { list: Array(99).fill(0), other: names(100) }, true],
    ['200 empty objects and lists', Array.from({ length: 200 }, (_, i) => (i % 2 ? {} : [])), false],
    ['201 empty objects', Array(201).fill({}), true],
    ['eight levels', nested(8), false],
    ['nine levels', nested(9), true],
    ['nine levels of objects', '{"a":'.repeat(9), true],
    ['many nested lists in a row', `[${Array(50).fill(nested(7)).join()}]`, true],
    ['thousands of levels', '['.repeat(50_000), true],
    ['commas and brackets in strings', { text: ',[{'.repeat(1000), 'a,b[{': '}' }, false],
    ['strings with quotes', { text: '"\\",[{"'.repeat(100) }, false],
    ['whitespace', `{ \n "a" :\t[ ] , "b" : { } }`, false],
    ['an unterminated string', '"abc\\', false],
  ])('%s', (_what, value, expected) => expect(exceeds(value)).toBe(expected));
});

describe('an unpaired surrogate', () => {
  it.each<[unknown, string | undefined]>([
    [{ email: '\ud800' }, 'email'],
    [{ a: { b: ['x', 'y\udfff'] } }, 'a.b.1'],
    [{ '\ud800': 1 }, 'body'],
    [{ text: '🐴', number: 1, nothing: null }, undefined],
  ])('in %j is found at %s', (value, place) => expect(loneSurrogateIn(value)).toBe(place));
});
