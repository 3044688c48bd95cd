import { escapeLike, type Condition } from './search-page';

/** The expression of the index users_search_idx. */
const SEARCHED = `lower(r.email || ' ' || r.name)`;
/** The length of the index's n-grams. */
const TRIGRAM = 3;
/**
 * Shorter words must match at the beginning: of the email, of a word of the name, of the domain or
 * of a part of the address.
 */
const BEGINNINGS = ['', '% ', '%@', '%.'];

/**
 * The condition that the email or the name of a user, `r`, contains each word of a text. Both sides
 * are lowered by the database, so that they are lowered alike.
 * @param text words separated by white space, none at its ends
 */
export function wordSearch(text: string): Condition {
  const words = text.split(/\s+/);
  const conditions = words.map((word, index) => {
    const like = (before: string) => `${SEARCHED} LIKE '${before}' || lower($${index + 3}::text) || '%'`;
    return [...word].length >= TRIGRAM ? like('%') : `(${BEGINNINGS.map(like).join(' OR ')})`;
  });
  return { sql: conditions.join(' AND '), parameters: words.map(escapeLike) };
}

/** Whether the index of trigrams serves a search: a word has at least three letters. */
export const hasIndexedWord = (text: string): boolean => text.split(/\s+/).some((word) => [...word].length >= TRIGRAM);
