/**
 * Most properties and array items of a body or query in total (docs/contract.md, Request bodies).
 */
export const MAX_ITEMS = 200;
/** The deepest nesting; `{}` is 1. */
export const MAX_DEPTH = 8;

/** The bytes that structure JSON. */
const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = Buffer.from('"\\,[{]}');
const SPACE = 0x20;

/**
 * Whether JSON exceeds the limits. Scans the bytes before parsing, without recursion, and stops at
 * the first item too many, so the worst body costs less than a valid one. The parser refuses text
 * that is not JSON.
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
      items++; // its first item
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      if (previous === OPEN_OBJECT || previous === OPEN_ARRAY) items--; // it is empty
    }
    // the last opened one may still be empty
    if (depth > MAX_DEPTH || items > MAX_ITEMS + 1) return true;
    previous = byte;
  }
  return items > MAX_ITEMS;
}

/** The index where the string that starts at `from` ends. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The path of the first text with a lone surrogate, as `a.b`; no database, email or hash accepts
 * it. The value must be within the limits.
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
