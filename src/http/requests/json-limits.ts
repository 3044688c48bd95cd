/**
 * How many properties and array items a body or a query has at most, all levels together
 * (docs/contract.md, Request bodies).
 */
export const MAX_ITEMS = 200;
/** How deep its objects and arrays are nested at most; `{}` is 1. */
export const MAX_DEPTH = 8;

/** The bytes that JSON is structured by. */
const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = Buffer.from('"\\,[{]}');
const SPACE = 0x20;

/**
 * Whether JSON has more items, or deeper ones, than anything needs that this service takes. It
 * looks at the bytes, before they are parsed and without recursion, and stops at the first item too
 * many: the worst body costs less than a good one. Text that is no JSON is the parser's to refuse.
 */
export function exceedsLimits(json: Uint8Array): boolean {
  let items = 0;
  let depth = 0;
  let previous = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte <= SPACE) continue;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) items++;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++;
      items++; // its first
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      if (previous === OPEN_OBJECT || previous === OPEN_ARRAY) items--; // it has none
    }
    // the one that was opened last may still turn out to be empty
    if (depth > MAX_DEPTH || items > MAX_ITEMS + 1) return true;
    previous = byte;
  }
  return items > MAX_ITEMS;
}

/** Where the string that begins at `from` ends. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The place of the first text that has half of a surrogate pair, as `a.b`; no database, mail or
 * hash takes it. Of a value within the bounds.
 */
export function loneSurrogateIn(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = loneSurrogateIn(name, place || 'body') ?? loneSurrogateIn(item, place ? `${place}.${name}` : name);
    if (found !== undefined) return found;
  }
  return undefined;
}
