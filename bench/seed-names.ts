const SYLLABLES = ['ba', 'del', 'fin', 'gor', 'hal', 'jum', 'kep', 'lis', 'mon', 'rut'];
const capital = (text: string) => text[0].toUpperCase() + text.slice(1);

/** The name of the i-th account: one of 100 first names and 1,000 last names. */
export function nameOf(i: number): { first: string; last: string } {
  const syllable = (n: number) => SYLLABLES[n % 10];
  const [f, l] = [(i * 31) % 100, (i * 17) % 1000];
  return {
    first: capital(syllable(f) + syllable(Math.floor(f / 10))),
    last: capital(syllable(l + 3) + syllable(Math.floor(l / 10) + 7) + syllable(Math.floor(l / 100))),
  };
}

/** `nameOf` in SQL. */
export const nameSql = () => {
  const syllable = (n: string) => `(ARRAY['${SYLLABLES.join("', '")}'])[1 + (${n}) % 10]`;
  const [f, l] = ['(i * 31) % 100', '(i::bigint * 17) % 1000'];
  const first = `${syllable(f)} || ${syllable(`((${f}) / 10)`)}`;
  const last = `${syllable(`(${l}) + 3`)} || ${syllable(`((${l}) / 10) + 7`)} || ${syllable(`(${l}) / 100`)}`;
  return `initcap(${first}) || ' ' || initcap(${last})`;
};
