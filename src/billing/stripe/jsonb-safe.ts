import { isFields } from './json-fields';

/**
 * An escape in JSON that stands for what PostgreSQL's jsonb refuses: a NUL, or half of a pair of
 * surrogates.
 */
const SUSPECT = /\\u(0000|d[89a-f])/i;

/**
 * The same JSON, without what the database cannot store: an event must not be delivered for ever
 * because of a letter in somebody's name.
 */
export function jsonbSafe(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return JSON.stringify(JSON.parse(json), (_key, value: unknown) => {
    if (typeof value === 'string') return clean(value);
    return isFields(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), inner]))
      : value;
  });
}

/** NULs, and surrogates that stand alone. */
const clean = (text: string) => text.replaceAll(/\0|\p{Surrogate}/gu, '');
