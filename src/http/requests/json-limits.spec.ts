import { exceedsLimits, loneSurrogateIn } from './json-limits';

const exceeds = (value: unknown) =>
  exceedsLimits(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i]));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the bounds of a body', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing', {}, false],
    ['200 properties', names(200), false],
    ['201 properties', names(201), true],
    ['200 items and properties on two levels', { list: Array(99).fill(0), other: names(99) }, false],
    ['201 of them on two levels', { list: Array(99).fill(0), other: names(100) }, true],
    ['200 empty objects and lists', Array.from({ length: 200 }, (_, i) => (i % 2 ? {} : [])), false],
    ['201 of them', Array(201).fill({}), true],
    ['eight levels', nested(8), false],
    ['nine levels', nested(9), true],
    ['nine levels of objects', '{"a":'.repeat(9), true],
    ['many levels one after the other', `[${Array(50).fill(nested(7)).join()}]`, true],
    ['thousands of levels', '['.repeat(50_000), true],
    ['commas and brackets in texts', { text: ',[{'.repeat(1000), 'a,b[{': '}' }, false],
    ['texts with quotes', { text: '"\\",[{"'.repeat(100) }, false],
    ['white space', `{ \n "a" :\t[ ] , "b" : { } }`, false],
    ['a text without an end', '"abc\\', false],
  ])('%s', (_what, value, expected) => expect(exceeds(value)).toBe(expected));
});

describe('half of a surrogate pair', () => {
  it.each<[unknown, string | undefined]>([
    [{ email: '\ud800' }, 'email'],
    [{ a: { b: ['x', 'y\udfff'] } }, 'a.b.1'],
    [{ '\ud800': 1 }, 'body'],
    [{ text: '🐴', number: 1, nothing: null }, undefined],
  ])('in %j is found at %s', (value, place) => expect(loneSurrogateIn(value)).toBe(place));
});
