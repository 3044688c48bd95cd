import { isFields } from './stripe-fields';

/** A JSON escape that PostgreSQL's jsonb may refuse: NUL, or a surrogate. */
const SUSPECT = /\\u(0000|d[89a-f])/i;

/**
 * Removes characters that jsonb cannot store. An event must not be redelivered forever because of a
 * character in a name.
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

/** Removes NULs and unpaired surrogates. */
const clean = (text: string) => text.replaceAll(/\0|\p{Surrogate}/gu, '');
