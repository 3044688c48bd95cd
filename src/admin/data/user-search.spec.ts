import { wordSearch } from './user-search';

const TEXT = `lower(r.email || ' ' || r.name)`;
/** Where a match may begin: at the beginning of the text or of a word. */
const BEFORE = ['', '% ', '%@', '%.'];
const anywhere = (parameter: number) => `${TEXT} LIKE '%' || lower($${parameter}::text) || '%'`;
const atBeginnings = (parameter: number) =>
  `(${BEFORE.map((before) => `${TEXT} LIKE '${before}' || lower($${parameter}::text) || '%'`).join(' OR ')})`;

describe('A search for users', () => {
  it('finds a word of three letters anywhere, by the index of trigrams', () => {
    expect(wordSearch('ada')).toEqual({ sql: anywhere(3), parameters: ['ada'] });
  });

  it('finds a shorter word only at the beginning of a part', () => {
    expect(wordSearch('ad')).toEqual({ sql: atBeginnings(3), parameters: ['ad'] });
  });

  it('counts letters and not the units of their encoding', () => {
    expect(wordSearch('\u{1d538}\u{1d539}').sql).toBe(atBeginnings(3));
    expect(wordSearch('\u{1d538}\u{1d539}\u{1d53b}').sql).toBe(anywhere(3));
  });

  it('requires every word, each with its own parameter, whatever separates them', () => {
    expect(wordSearch('ada  ki\tlovelace')).toEqual({
      sql: `${anywhere(3)} AND ${atBeginnings(4)} AND ${anywhere(5)}`,
      parameters: ['ada', 'ki', 'lovelace'],
    });
  });

  it('takes the special characters of LIKE literally', () => {
    expect(wordSearch('100% a_b').parameters).toEqual(['100\\%', 'a\\_b']);
  });
});
