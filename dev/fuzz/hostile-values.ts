import type { FuzzRandom } from './fuzz-random';

const nested = (depth: number, close: (inner: unknown) => unknown) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = close(value);
  return value;
};

const LONE_SURROGATE = '\ud800';
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';
const ZERO_WIDTH_SPACE = '\u200b';

/** Texts that are known to break parsers, databases or pages. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  LONE_SURROGATE,
  `a${LONE_SURROGATE}@example.com`,
  '\udc00\ud800',
  RIGHT_TO_LEFT_OVERRIDE,
  ZERO_WIDTH_SPACE,
  '\ufeff',
  'é'.normalize('NFD'),
  '𝕏'.repeat(60),
  'İıKß',
  '\r\nSet-Cookie: a=b',
  '%00%0a',
  "' OR 1=1 --",
  '$1',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(101),
  'x'.repeat(5_000),
  'x'.repeat(120_000),
  '"a b"@example.com',
  'a@[127.0.0.1]',
  `a@${'x'.repeat(250)}.com`,
  'https://evil.example/',
];

/** Values of other types than the field has. */
const OTHER_TYPES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => 1e308,
  () => [],
  () => ({}),
  () => [null],
  () => ({ length: 5 }),
  () => ({ toString: 'x', valueOf: 'y' }),
  () => nested(5, (inner) => [inner]),
  () => nested(9, (inner) => ({ inner })),
  () => nested(3_000, (inner) => [inner]),
  () => Array.from({ length: 201 }, (_, n) => n),
  () => Array.from({ length: 11_000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])),
];

/** A random hostile value. */
export function hostileValue(random: FuzzRandom): unknown {
  return random.happens(0.6) ? random.pick(TEXTS) : random.pick(OTHER_TYPES)();
}
